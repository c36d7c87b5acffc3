// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/pod_placement.h"

#include "operator/objects/object.h"

#include <string_view>
#include <utility>

namespace slurmop::parts {
namespace {

constexpr int kSpreadWeight = 10;  // of at most 100
constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

json::Object object_in(const json::Value* value) {
  if (value == nullptr || value->as_object() == nullptr) return {};
  return *value->as_object();
}

}  // namespace

void place(const settle::Placement& placement, objects::PodSpec& pod) {
  pod.affinity = placement.affinity;
  pod.node_selector = placement.node_selector;
  pod.tolerations = placement.tolerations;
  pod.priority_class = placement.priority_class;
  pod.host_users = placement.host_users;
}

json::Value spread(json::Value affinity, const objects::Labels& selector) {
  json::Object all = object_in(&affinity);
  json::Object anti = object_in(all.find("podAntiAffinity"));
  json::Array preferred;
  if (const json::Value* given = anti.find(kPreferred); given != nullptr && given->as_array()) {
    preferred = *given->as_array();
  }
  json::Object labels{{"matchLabels", objects::string_map(selector)}};
  json::Object term{{"labelSelector", std::move(labels)},
                    {"topologyKey", "kubernetes.io/hostname"}};
  preferred.push_back(
      json::Object{{"weight", kSpreadWeight}, {"podAffinityTerm", std::move(term)}});
  anti.set(kPreferred, std::move(preferred));
  all.set("podAntiAffinity", std::move(anti));
  return all;
}

}  // namespace slurmop::parts
