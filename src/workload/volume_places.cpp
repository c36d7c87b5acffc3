// SPDX-License-Identifier: Apache-2.0
#include "workload/volume_places.h"

#include "workload/node_selector.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace workload {
namespace {

using base::Error;
using base::Kind;
using kube::NodeSelector;
using kube::PersistentVolume;
using kube::PersistentVolumeClaim;
using kube::StorageClass;

using Place = std::optional<VolumePlace>;

std::string volume_of(const PersistentVolumeClaim& claim) {
  return fmt::format("volume {} of claim {}", claim.spec.volumeName, claim.metadata.name);
}

NodeSelector only(const std::string& node) {
  return {{{.matchExpressions = {}, .matchFields = {{"metadata.name", "In", {node}}}}}};
}

const NodeSelector* reached_from(const PersistentVolume& volume) {
  const auto& affinity = volume.spec.nodeAffinity;
  return affinity && affinity->required ? &*affinity->required : nullptr;
}

NodeSelector allowed_by(const StorageClass& storage_class) {
  NodeSelector nodes;
  for (const kube::TopologyTerm& term : storage_class.allowedTopologies) {
    kube::NodeSelectorTerm& out = nodes.nodeSelectorTerms.emplace_back();
    for (const auto& wanted : term.matchLabelExpressions)
      out.matchExpressions.push_back({wanted.key, "In", wanted.values});
  }
  return nodes;
}

base::Quantity size(const kube::ResourceList& list) {
  const auto found = list.find("storage");
  return found == list.end() ? base::Quantity() : found->second;
}

std::string_view mode(const std::string& written) {
  return written.empty() ? std::string_view("Filesystem") : std::string_view(written);
}

bool is_free_for(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  if (volume.metadata.deleting()) return false;
  const auto& holder = volume.spec.claimRef;
  if (!holder) return volume.status.phase == "Available" || volume.status.phase.empty();
  return holder->namespace_ == claim.metadata.namespace_ && holder->name == claim.metadata.name &&
         (holder->uid.value().empty() || holder->uid == claim.metadata.uid);
}

bool can_serve(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  const auto& offered = volume.spec.accessModes;
  return is_free_for(volume, claim) &&
         volume.spec.storageClassName == claim.spec.storageClassName.value_or("") &&
         mode(volume.spec.volumeMode) == mode(claim.spec.volumeMode) &&
         size(volume.spec.capacity) >= size(claim.spec.resources.requests) &&
         std::ranges::all_of(claim.spec.accessModes, [&](const std::string& wanted) {
           return std::ranges::find(offered, wanted) != offered.end();
         });
}

// The volumes that could be bound to the claim. A volume that is reserved for the claim is the only
// one: Kubernetes binds the two, whatever other volumes are free.
std::vector<const PersistentVolume*> volumes_to_choose_from(const ClaimFacts& facts) {
  std::vector<const PersistentVolume*> free;
  if (facts.volumes == nullptr) return free;
  for (const PersistentVolume& volume : *facts.volumes) {
    if (!can_serve(volume, facts.claim)) continue;
    if (volume.spec.claimRef) return {&volume};
    free.push_back(&volume);
  }
  return free;
}

// All nodes from which any of the free volumes is accessible.
Place place_of_free_volumes(const ClaimFacts& facts) {
  NodeSelector nodes;
  for (const PersistentVolume* volume : volumes_to_choose_from(facts)) {
    const NodeSelector* reached = reached_from(*volume);
    if (reached == nullptr) return std::nullopt;
    nodes.nodeSelectorTerms.insert(nodes.nodeSelectorTerms.end(),
                                   reached->nodeSelectorTerms.begin(),
                                   reached->nodeSelectorTerms.end());
  }
  return VolumePlace{fmt::format("a free volume for claim {}", facts.claim.metadata.name), nodes};
}

Place place_to_come(const ClaimFacts& facts) {
  const PersistentVolumeClaim& claim = facts.claim;
  const std::string& selected = claim.metadata.annotation(kSelectedNode);
  const std::string what = fmt::format("the volume of claim {}", claim.metadata.name);
  if (!selected.empty()) return VolumePlace{what, only(selected)};
  if (has_no_provisioner(*facts.storage_class)) return place_of_free_volumes(facts);
  if (facts.storage_class->allowedTopologies.empty()) return std::nullopt;
  return VolumePlace{what, allowed_by(*facts.storage_class)};
}

}  // namespace

bool reaches(const VolumePlace& place, const kube::Node& node) {
  return selects(place.nodes, node);
}

std::string to_text(const VolumePlace& place) {
  return fmt::format(
      "{} is accessible only from nodes with {}", place.volume, to_text(place.nodes));
}

bool has_no_provisioner(const StorageClass& storage_class) {
  return storage_class.provisioner == "kubernetes.io/no-provisioner";
}

base::Result<Place> place_of(const ClaimFacts& facts) {
  const PersistentVolumeClaim& claim = facts.claim;
  if (facts.volume != nullptr) {
    const NodeSelector* nodes = reached_from(*facts.volume);
    if (nodes == nullptr) return Place();
    return Place(VolumePlace{volume_of(claim), *nodes});
  }
  if (facts.storage_class != nullptr && facts.storage_class->waits_for_a_pod())
    return place_to_come(facts);
  return Error(Kind::unavailable,
               fmt::format("claim {} has no volume yet", claim.metadata.key().to_string()));
}

const PersistentVolume* volume_for(const ClaimFacts& facts, const kube::Node& node) {
  const PersistentVolume* best = nullptr;
  for (const PersistentVolume* volume : volumes_to_choose_from(facts)) {
    const NodeSelector* reached = reached_from(*volume);
    if (reached != nullptr && !selects(*reached, node)) continue;
    // The smallest that is large enough.
    if (best == nullptr || size(volume->spec.capacity) < size(best->spec.capacity)) best = volume;
  }
  return best;
}

}  // namespace workload
