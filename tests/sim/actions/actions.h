// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan.h"

#include <vector>

// What can happen, by who does it. A new kind of actor is a new file and a line in plan.cpp.
namespace sim {

std::vector<Action> pod_actions();      // users of Kubernetes
std::vector<Action> slurm_actions();    // users and administrators of Slurm
std::vector<Action> node_actions();     // machines
std::vector<Action> network_actions();  // wires, and servers that have a bad day
std::vector<Action> process_actions();  // our own processes

}  // namespace sim
