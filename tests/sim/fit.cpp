// SPDX-License-Identifier: Apache-2.0
#include "fit.h"

#include "world.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim {
namespace {

// Whether all volumes of the pod can be reached from the node or provisioned there. An unbound
// claim of a class without provisioner counts as unreachable, because it is not determined which
// free volume it gets.
bool reaches_volumes(World& world, const std::string& node, const PodTruth& pod) {
  return std::ranges::all_of(pod.claims, [&](const std::string& name) {
    const json::Value* claim = world.kube().find({"persistentvolumeclaims", pod.ns, name});
    if (claim == nullptr) return false;
    const std::string volume = text_at(*claim, {"spec", "volumeName"});
    if (volume.empty()) return text_at(*claim, {"spec", "storageClassName"}) == "made";
    const json::Value* disk = world.kube().find({"persistentvolumes", "", volume});
    return disk != nullptr && disk->dump().contains(fmt::format(R"("values":["{}"])", node));
  });
}

}  // namespace

bool could_take(World& world, const std::string& node, const PodTruth& pod) {
  const NodeTruth& truth = world.node(node);
  if (!truth.in_kube || !truth.in_slurm) return false;
  if (!pod.disk.empty() && World::disk_of(node) != pod.disk) return false;
  const World::Room room = world.allocatable(node);
  const World::Room others = world.taken(node, [](const PodTruth& one) { return !one.ours(); });
  return others.cpus + pod.cpus <= room.cpus &&
         others.memory_gib + pod.memory_gib <= room.memory_gib && reaches_volumes(world, node, pod);
}

}  // namespace sim
