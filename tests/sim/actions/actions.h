// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan.h"
#include "truth.h"

#include <vector>

// The actions, by actor. To add an actor, add a file and a line in plan.cpp.
namespace sim {

std::vector<Action> pod_actions();      // users of Kubernetes
std::vector<Action> volume_actions();   // users of Kubernetes, with volumes
std::vector<Action> refusal_actions();  // users of Kubernetes, with requests that Slurm refuses
std::vector<Action> foreign_actions();  // other schedulers
std::vector<Action> slurm_actions();    // users and administrators of Slurm
std::vector<Action> node_actions();     // nodes of both systems, and their administrators
std::vector<Action> network_actions();  // network and servers
std::vector<Action> process_actions();  // bridge processes

// Has weight 0 and so is not drawn with the other actions. make_plan() adds it to some plans.
inline constexpr std::string_view kRemoveJobLabel = "remove the job label of a pod that waits";

inline constexpr std::string_view kOtherScheduler = "default-scheduler";

// A pod to create.
struct PodWish {
  std::string_view name;  // of the pod, without its number
  std::string_view scheduler = kScheduler;
  std::string_view annotations = "";  // additional, as JSON members
  std::string_view spec = "";         // additional members, each after a comma
  unsigned cpus = 2;
  bool ends = true;
};
// Creates the pod and describes the action; empty if the API server refused the pod, such as one
// that exists already.
std::string create_pod(World& world, const Draw& draw, const PodWish& wish);

}  // namespace sim
