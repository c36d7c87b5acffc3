// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"
#include "models/slurm/records.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sim {

inline constexpr std::string_view kScheduler = "slurm-bridge-scheduler";
inline constexpr std::string_view kNamespace = "work";

// A pod as it really is, read from the model's own objects and by none of the product's code.
struct PodTruth {
  std::string ns;
  std::string name;
  std::string uid;
  std::string version;
  std::string scheduler;
  std::string node;
  std::string phase;
  std::string scheduled_reason;  // of the condition PodScheduled
  std::string scheduled_message;
  std::string node_annotation;
  std::string created;  // both comparable as text
  std::string bound_since;
  std::optional<std::uint32_t> job;  // the label
  unsigned cpus = 0;                 // what it requests
  unsigned memory_gib = 0;
  std::string disk;                 // of its nodeSelector
  std::vector<std::string> claims;  // of volumes
  std::string disruption;           // the reason of the condition DisruptionTarget
  std::string job_shown;            // why Slurm does not know its job, as the pod says
  std::string refused_as;           // its user knows that Slurm refuses it: the error number
  std::string waits_for;            // that Slurm never starts it: the job's reason
  bool finalizer = false;
  bool deleting = false;
  bool at_once = false;  // it is being deleted without a grace period

  bool ours() const;
  bool bound() const { return !node.empty(); }
  bool ended() const { return phase == "Succeeded" || phase == "Failed"; }
  std::string full_name() const { return ns + "/" + name; }
};

PodTruth pod_truth(const json::Value& object);

// A node as it really is, in both systems.
struct NodeTruth {
  bool in_slurm = false;
  bool drained = false;
  bool down = false;
  std::string reason;

  bool in_kube = false;
  bool cordoned = false;
  bool cordoned_by_us = false;  // one of our processes set it, whatever is noted
  bool noted = false;           // a note of ours stands there
  bool ready = false;

  bool drained_by_us() const { return drained && reason.starts_with("slurm-bridge:"); }
  bool drained_by_people() const { return drained && !drained_by_us(); }
  bool cordoned_by_people() const { return cordoned && !cordoned_by_us; }
};

bool is_cordoned(const json::Value& kube_node);

// Either may be null. Who cordoned it is left open: the object does not tell.
NodeTruth node_truth(const json::Value* kube_node, const models::slurm::SlurmNode* slurm_node);

// What stands at a path of member names, as text; empty if nothing does.
std::string text_at(const json::Value& object, std::initializer_list<std::string_view> path);

}  // namespace sim
