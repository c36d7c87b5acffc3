// SPDX-License-Identifier: Apache-2.0
#include "workload/taints.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace workload {
namespace {

constexpr std::array<std::string_view, 9> kTransient = {
    "node.kubernetes.io/not-ready",
    "node.kubernetes.io/unreachable",
    "node.kubernetes.io/memory-pressure",
    "node.kubernetes.io/disk-pressure",
    "node.kubernetes.io/pid-pressure",
    "node.kubernetes.io/network-unavailable",
    "node.kubernetes.io/unschedulable",
    "node.kubernetes.io/out-of-service",
    "node.cloudprovider.kubernetes.io/uninitialized",
};

bool tolerates(const kube::Toleration& toleration, const kube::Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.operator_ == "Exists") return true;
  const bool equal = toleration.operator_.empty() || toleration.operator_ == "Equal";
  return equal && !toleration.key.empty() && toleration.value == taint.value;
}

}  // namespace

bool repels(const kube::Taint& taint) {
  return taint.effect == "NoSchedule" || taint.effect == "NoExecute";
}

bool is_transient(const kube::Taint& taint) {
  return std::ranges::find(kTransient, taint.key) != kTransient.end();
}

bool tolerates(const kube::Pod& pod, const kube::Taint& taint) {
  return std::ranges::any_of(pod.spec.tolerations,
                             [&](const auto& toleration) { return tolerates(toleration, taint); });
}

std::string to_text(const kube::Taint& taint) {
  return taint.value.empty() ? fmt::format("{}:{}", taint.key, taint.effect)
                             : fmt::format("{}={}:{}", taint.key, taint.value, taint.effect);
}

}  // namespace workload
