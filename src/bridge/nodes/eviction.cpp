// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/eviction.h"

#include <algorithm>
#include <utility>

namespace bridge::nodes {
namespace {

bool covers(const kube::Toleration& toleration, const kube::Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (toleration.tolerationSeconds) return false;  // limited in time
  const bool any_value = toleration.operator_ == "Exists";
  if (toleration.key.empty()) return any_value;
  return toleration.key == taint.key && (any_value || toleration.value == taint.value);
}

}  // namespace

bool would_be_evicted(const kube::Pod& pod, const kube::Taint& taint) {
  if (!pod.bound() || pod.ended() || pod.metadata.deleting()) return false;
  if (pod.metadata.annotations.contains("kubernetes.io/config.mirror")) return false;
  return std::ranges::none_of(pod.spec.tolerations, [&](const kube::Toleration& toleration) {
    return covers(toleration, taint);
  });
}

std::vector<std::string> evicted_of(const std::vector<kube::Pod>& pods, const kube::Taint& taint) {
  std::vector<std::string> names;
  for (const kube::Pod& pod : pods) {
    if (would_be_evicted(pod, taint)) names.push_back(pod.metadata.key().to_string());
  }
  return names;
}

net::Task<base::Result<std::vector<std::string>>> evicted_pods(kube::Api<kube::Pod> pods,
                                                               kube::NodeName node,
                                                               kube::Taint taint) {
  kube::ListOptions there;
  there.field_selector = "spec.nodeName=" + node.value();
  there.page_size = 0;
  CO_TRY(const std::vector<kube::Pod> list, co_await pods.list(std::move(there)));
  co_return evicted_of(list, taint);
}

}  // namespace bridge::nodes
