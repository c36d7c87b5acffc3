// SPDX-License-Identifier: Apache-2.0
#include "workload/node_fit.h"

#include "workload/node_selector.h"
#include "workload/taints.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

namespace workload {
namespace {

using kube::Amounts;
using kube::Node;
using kube::Pod;
using Why = std::optional<std::string>;

Why not_selected(const Pod& pod, const Node& node) {
  for (const auto& [key, value] : pod.spec.nodeSelector) {
    const auto label = node.metadata.labels.find(key);
    if (label == node.metadata.labels.end() || label->second != value)
      return fmt::format("nodeSelector requires {}={}", key, value);
  }
  if (!pod.spec.affinity || !pod.spec.affinity->nodeAffinity) return std::nullopt;
  const auto& required =
      pod.spec.affinity->nodeAffinity->requiredDuringSchedulingIgnoredDuringExecution;
  if (!required || selects(*required, node)) return std::nullopt;
  return fmt::format("node affinity requires {}", to_text(*required));
}

enum class Look { for_good, now };

Why repelled(const Pod& pod, const Node& node, Look look) {
  for (const kube::Taint& taint : node.spec.taints) {
    // Every admitted pod of ours tolerates our taint, but not the taint of another bridge.
    const bool ours = taint.key == kTaintKey && taint.value == pod.spec.schedulerName;
    if (!repels(taint) || ours) continue;
    if (look == Look::for_good && is_transient(taint)) continue;
    if (!tolerates(pod, taint)) return fmt::format("the node has the taint {}", to_text(taint));
  }
  return std::nullopt;
}

// Allocated by DRA from ResourceSlices: no node lists them as allocatable.
bool is_counted_elsewhere(std::string_view resource) {
  return resource.starts_with(kDeviceClassPrefix);
}

Why no_room(const Amounts& requests, const NodeRoom& room) {
  Why why;
  requests.each([&](std::string_view name, std::int64_t wanted) {
    if (why || is_counted_elsewhere(name)) return;
    const std::int64_t taken = room.taken_by_others[name];
    const std::int64_t allocatable = room.allocatable[name];
    if (taken >= 0 && wanted <= allocatable - taken) return;
    why = fmt::format("it needs {} of {}; the node has {}",
                      kube::amount_text(name, wanted),
                      name,
                      kube::amount_text(name, allocatable));
    if (taken != 0) *why += fmt::format(", of which {} is taken", kube::amount_text(name, taken));
  });
  if (why) return why;
  const std::int64_t most = room.allocatable["pods"];
  if (most == 0 || room.pods_taken_by_others < most) return std::nullopt;
  return fmt::format("the node allows {} pods and has {}", most, room.pods_taken_by_others);
}

}  // namespace

Why never_fits(const Pod& pod, const Amounts& requests, const Node& node, const NodeRoom& room) {
  if (Why why = not_selected(pod, node)) return why;
  if (Why why = repelled(pod, node, Look::for_good)) return why;
  if (room.allocatable.is_zero()) return std::nullopt;
  return no_room(requests, room);
}

Why out_of_reach(const VolumePlaces& volumes, const Node& node) {
  for (const VolumePlace& place : volumes.places) {
    if (!reaches(place, node)) return to_text(place);
  }
  return std::nullopt;
}

Why cannot_take_now(const Pod& pod,
                    const Amounts& requests,
                    const Node& node,
                    const NodeRoom& room) {
  if (node.metadata.deleting()) return "the node is being deleted";
  if (!node.ready()) return "the node is not ready";
  if (node.spec.unschedulable) return "the node is cordoned";
  if (Why why = repelled(pod, node, Look::now)) return why;
  return no_room(requests, room);
}

}  // namespace workload
