// SPDX-License-Identifier: Apache-2.0
#include "operator/plan/cluster_facts.h"

#include "json/pointer.h"
#include "operator/objects/labels.h"

namespace slurmop::plan {
namespace {

template <class Predicate>
std::vector<kube::ObservedPod> pods_where(const Known& known, Predicate matches) {
  std::vector<kube::ObservedPod> pods;
  for (const kube::ObservedPod& pod : known.pods) {
    if (matches(pod)) pods.push_back(pod);
  }
  return pods;
}

}  // namespace

std::string recorded_phase(const json::Value& cluster) {
  const json::Value* phase = json::find(cluster, {"status", "phase"});
  return phase != nullptr && phase->as_string() != nullptr ? *phase->as_string() : std::string();
}

bool was_never_available(const json::Value& cluster) {
  const std::string phase = recorded_phase(cluster);
  return phase.empty() || phase == kPending;
}

std::vector<kube::ObservedPod> pods_of(const Known& known, std::string_view component) {
  return pods_where(known, [&](const kube::ObservedPod& pod) {
    return pod.metadata.label(std::string(objects::kComponent)) == component;
  });
}

std::vector<kube::ObservedPod> pods_of(const Known& known, const settle::WorkerSet& set) {
  return pods_where(known, [&](const kube::ObservedPod& pod) {
    return pod.metadata.label(std::string(objects::kNodeSetLabel)) == set.name &&
           set.ordinal_of(pod.metadata.name).has_value();
  });
}

}  // namespace slurmop::plan
