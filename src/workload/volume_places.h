// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/node.h"
#include "kube/api/volumes.h"

#include <optional>
#include <string>
#include <vector>

namespace workload {

// Set on a claim to have its volume created where this node can access it.
inline const std::string kSelectedNode = "volume.kubernetes.io/selected-node";

// The nodes from which one volume is accessible.
struct VolumePlace {
  std::string volume;  // for messages: "volume pv-1 of claim data"
  kube::NodeSelector nodes;

  friend bool operator==(const VolumePlace&, const VolumePlace&) = default;
};

bool reaches(const VolumePlace& place, const kube::Node& node);
// "volume pv-1 of claim data is accessible only from nodes with zone In [a]"
std::string to_text(const VolumePlace& place);

// Where a pod can run because of its volumes: a node must be in all of the places.
struct VolumePlaces {
  std::vector<VolumePlace> places;
  // Names of claims that only one pod at a time may use.
  std::vector<std::string> for_one_pod;

  friend bool operator==(const VolumePlaces&, const VolumePlaces&) = default;
};

// A claim of a pod and the objects that it refers to; null where it refers to none.
struct ClaimFacts {
  const kube::PersistentVolumeClaim& claim;
  const kube::PersistentVolume* volume = nullptr;
  const kube::StorageClass* storage_class = nullptr;
  // For a class without a provisioner: all existing volumes.
  const std::vector<kube::PersistentVolume>* volumes = nullptr;
};

// True if volumes of this class are only created manually.
bool has_no_provisioner(const kube::StorageClass& storage_class);

// Where the claim lets its pod run; empty: anywhere. Kind::unavailable if the claim has no volume
// and does not wait for the pod's node: the place of the volume is not known before it exists.
base::Result<std::optional<VolumePlace>> place_of(const ClaimFacts& facts);

// The smallest free volume that fits the claim and is accessible from this node; null if there is
// none.
const kube::PersistentVolume* volume_for(const ClaimFacts& facts, const kube::Node& node);

}  // namespace workload
