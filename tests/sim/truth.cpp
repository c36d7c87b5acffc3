// SPDX-License-Identifier: Apache-2.0
#include "truth.h"

#include "base/integer.h"

#include <algorithm>

namespace sim {
namespace {

const json::Value* value_at(const json::Value& object,
                            std::initializer_list<std::string_view> path) {
  const json::Value* at = &object;
  for (const std::string_view key : path) {
    if (at == nullptr) return nullptr;
    at = at->find(key);
  }
  return at;
}

const json::Array& array_at(const json::Value& object,
                            std::initializer_list<std::string_view> path) {
  static const json::Array kNone;
  const json::Value* found = value_at(object, path);
  return found != nullptr && found->as_array() != nullptr ? *found->as_array() : kNone;
}

void read_conditions(PodTruth& pod, const json::Value& object) {
  for (const json::Value& condition : array_at(object, {"status", "conditions"})) {
    const std::string type = text_at(condition, {"type"});
    if (type == "DisruptionTarget" && text_at(condition, {"status"}) == "True")
      pod.disruption = text_at(condition, {"reason"});
    if (type.ends_with("/SlurmJobKnown") && text_at(condition, {"status"}) == "False")
      pod.job_shown = text_at(condition, {"reason"});
    if (type != "PodScheduled") continue;
    pod.scheduled_reason = text_at(condition, {"reason"});
    if (text_at(condition, {"status"}) == "True")
      pod.bound_since = text_at(condition, {"lastTransitionTime"});
    pod.scheduled_message = text_at(condition, {"message"});
  }
}

// Expects requests in whole CPUs and GiB, as all pods of the simulation have.
void read_requests(PodTruth& pod, const json::Value& object) {
  for (const json::Value& container : array_at(object, {"spec", "containers"})) {
    const std::string cpus = text_at(container, {"resources", "requests", "cpu"});
    std::string memory = text_at(container, {"resources", "requests", "memory"});
    if (memory.ends_with("Gi")) memory.resize(memory.size() - 2);
    if (const auto number = base::parse_integer<unsigned>(cpus)) pod.cpus += *number;
    if (const auto number = base::parse_integer<unsigned>(memory)) pod.memory_gib += *number;
  }
}

}  // namespace

bool PodTruth::ours() const {
  return scheduler == kScheduler;
}

std::string text_at(const json::Value& object, std::initializer_list<std::string_view> path) {
  const json::Value* found = value_at(object, path);
  return found != nullptr && found->as_string() != nullptr ? *found->as_string() : "";
}

PodTruth pod_truth(const json::Value& object) {
  PodTruth pod;
  pod.ns = text_at(object, {"metadata", "namespace"});
  pod.name = text_at(object, {"metadata", "name"});
  pod.uid = text_at(object, {"metadata", "uid"});
  pod.created = text_at(object, {"metadata", "creationTimestamp"});
  pod.version = text_at(object, {"metadata", "resourceVersion"});
  pod.scheduler = text_at(object, {"spec", "schedulerName"});
  pod.node = text_at(object, {"spec", "nodeName"});
  pod.phase = text_at(object, {"status", "phase"});
  pod.node_annotation = text_at(object, {"metadata", "annotations", "slinky.slurm.net/slurm-node"});
  const std::string label =
      text_at(object, {"metadata", "labels", "scheduler.slinky.slurm.net/slurm-jobid"});
  if (const auto id = base::parse_integer<std::uint32_t>(label)) pod.job = *id;
  pod.disk = text_at(object, {"spec", "nodeSelector", "disk"});
  pod.refused_as = text_at(object, {"metadata", "annotations", "slurm-bridge.dev/refused"});
  pod.waits_for = text_at(object, {"metadata", "annotations", "slurm-bridge.dev/waits"});
  for (const json::Value& volume : array_at(object, {"spec", "volumes"})) {
    const std::string claim = text_at(volume, {"persistentVolumeClaim", "claimName"});
    if (!claim.empty()) pod.claims.push_back(claim);
  }
  pod.deleting = !text_at(object, {"metadata", "deletionTimestamp"}).empty();
  const json::Value* grace = value_at(object, {"metadata", "deletionGracePeriodSeconds"});
  pod.at_once = grace != nullptr && *grace == json::Value(0);
  const json::Value* finalizers = value_at(object, {"metadata", "finalizers"});
  if (finalizers != nullptr && finalizers->as_array() != nullptr) {
    pod.finalizer = std::ranges::any_of(*finalizers->as_array(), [](const json::Value& one) {
      return one.as_string() != nullptr && one.as_string()->contains("slinky");
    });
  }
  read_conditions(pod, object);
  read_requests(pod, object);
  return pod;
}

bool is_cordoned(const json::Value& kube_node) {
  const json::Value* said = value_at(kube_node, {"spec", "unschedulable"});
  return said != nullptr && *said == json::Value(true);
}

NodeTruth node_truth(const json::Value* kube_node, const models::slurm::SlurmNode* slurm_node) {
  NodeTruth node;
  if (slurm_node != nullptr) {
    node.in_slurm = true;
    node.drained = slurm_node->drained;
    node.down = slurm_node->down;
    node.reason = slurm_node->reason;
  }
  if (kube_node == nullptr) return node;
  node.in_kube = true;
  node.cordoned = is_cordoned(*kube_node);
  for (const std::string_view note :
       {"slinky.slurm.net/slurm-drain-reason", "slinky.slurm.net/slurm-cordon-lifted"})
    node.noted |= value_at(*kube_node, {"metadata", "annotations", note}) != nullptr;
  const json::Value* conditions = value_at(*kube_node, {"status", "conditions"});
  if (conditions == nullptr || conditions->as_array() == nullptr) return node;
  for (const json::Value& condition : *conditions->as_array()) {
    if (text_at(condition, {"type"}) == "Ready")
      node.ready = text_at(condition, {"status"}) == "True";
  }
  return node;
}

}  // namespace sim
