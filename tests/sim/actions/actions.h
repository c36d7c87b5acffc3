// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan.h"
#include "truth.h"

#include <vector>

// What can happen, by who does it. A new kind of actor is a new file and a line in plan.cpp.
namespace sim {

std::vector<Action> pod_actions();      // users of Kubernetes
std::vector<Action> volume_actions();   // the same, with volumes
std::vector<Action> refusal_actions();  // the same, with wishes that Slurm does not grant
std::vector<Action> foreign_actions();  // other schedulers
std::vector<Action> slurm_actions();    // users and administrators of Slurm
std::vector<Action> node_actions();     // machines
std::vector<Action> network_actions();  // wires, and servers that have a bad day
std::vector<Action> process_actions();  // our own processes

// Never drawn with the others (weight 0): make_plan() adds it to some plans.
inline constexpr std::string_view kRemoveJobLabel = "remove the job label of a pod that waits";

inline constexpr std::string_view kOtherScheduler = "default-scheduler";

// What users create.
struct PodWish {
  std::string_view name;  // of the pod, with a number
  std::string_view scheduler = kScheduler;
  std::string_view annotations = "";  // further ones, as JSON members
  std::string_view spec = "";         // further members, each after a comma
  unsigned cpus = 2;
  bool ends = true;
};
// Says what was done; empty if there is such a pod already.
std::string create_pod(World& world, const Draw& draw, const PodWish& wish);

}  // namespace sim
