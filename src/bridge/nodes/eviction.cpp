// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/eviction.h"

#include "kube/client/request.h"

#include <algorithm>
#include <optional>

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

base::Result<std::vector<std::string>> evicted_of(std::string_view list, const kube::Taint& taint) {
  json::Parser parser;
  TRY(const json::Node root, parser.parse(list));
  const auto items = root.find("items");
  if (!items) return base::Error(base::Kind::protocol, "an answer without a list of pods");
  std::vector<std::string> names;
  std::optional<base::Error> failure;
  items->each_element([&](json::Node item) {
    const auto pod = kube::decode_object<kube::Pod>(item);
    if (!pod.ok()) failure = pod.error();
    if (pod.ok() && would_be_evicted(*pod, taint)) names.push_back(pod->metadata.key().to_string());
    return pod.ok();
  });
  if (failure) return *std::move(failure);
  return names;
}

net::Task<base::Result<std::vector<std::string>>> evicted_pods(kube::Client& kube,
                                                               kube::NodeName node,
                                                               kube::Taint taint,
                                                               base::Instant deadline) {
  const kube::Selection there{kube::kPods, "", "", "spec.nodeName=" + node.value()};
  CO_TRY(const std::string list, co_await kube.get(kube::list_path(there, 0, ""), deadline));
  co_return evicted_of(list, taint);
}

}  // namespace bridge::nodes
