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

// The actual state of a pod, read from the model's objects without code of the product.
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
  std::string created;  // both times can be compared as text
  std::string bound_since;
  std::optional<std::uint32_t> job;  // of the job label
  unsigned cpus = 0;                 // requested
  unsigned memory_gib = 0;
  std::string disk;                 // label "disk" in its nodeSelector
  std::vector<std::string> claims;  // PersistentVolumeClaims
  std::string disruption;           // reason of the condition DisruptionTarget, if True
  std::string job_shown;            // reason of the condition SlurmJobKnown, if False
  std::string refused_as;           // Slurm's expected error number; empty: accepted
  std::string waits_for;            // expected reason of a job that Slurm never starts
  bool finalizer = false;
  bool deleting = false;
  bool at_once = false;  // deleted without a grace period

  bool ours() const;
  bool bound() const { return !node.empty(); }
  bool ended() const { return phase == "Succeeded" || phase == "Failed"; }
  std::string full_name() const { return ns + "/" + name; }
};

PodTruth pod_truth(const json::Value& object);

// The actual state of a node in both systems.
struct NodeTruth {
  bool in_slurm = false;
  bool drained = false;
  bool down = false;
  std::string reason;

  bool in_kube = false;
  bool cordoned = false;
  bool cordoned_by_us = false;  // set by a bridge process, whatever the annotations are
  bool noted = false;           // has an annotation of the bridge's node synchronization
  bool ready = false;

  bool drained_by_us() const { return drained && reason.starts_with("slurm-bridge:"); }
  bool drained_by_people() const { return drained && !drained_by_us(); }
  bool cordoned_by_people() const { return cordoned && !cordoned_by_us; }
};

bool is_cordoned(const json::Value& kube_node);

// Either may be null. `cordoned_by_us` stays false: the object does not contain it.
NodeTruth node_truth(const json::Value* kube_node, const models::slurm::SlurmNode* slurm_node);

// The string at a path of member names; empty if there is none.
std::string text_at(const json::Value& object, std::initializer_list<std::string_view> path);

}  // namespace sim
