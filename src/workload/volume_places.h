// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/node.h"
#include "kube/api/volumes.h"

#include <optional>
#include <string>
#include <vector>

namespace workload {

// Written onto a claim to have its volume made where this node can reach it.
inline const std::string kSelectedNode = "volume.kubernetes.io/selected-node";

// Nodes from which one volume can be reached.
struct VolumePlace {
  std::string volume;  // for people: "volume pv-1 of claim data"
  kube::NodeSelector nodes;

  friend bool operator==(const VolumePlace&, const VolumePlace&) = default;
};

bool reaches(const VolumePlace& place, const kube::Node& node);
// "volume pv-1 of claim data is only where zone In [a]"
std::string in_words(const VolumePlace& place);

// Where a pod's volumes let it run: a node has to be in all of the places.
struct VolumePlaces {
  std::vector<VolumePlace> places;
  // Names of claims that one pod at a time may use.
  std::vector<std::string> for_one_pod;

  friend bool operator==(const VolumePlaces&, const VolumePlaces&) = default;
};

// A claim of a pod and what it refers to; null where it refers to nothing.
struct ClaimFacts {
  const kube::PersistentVolumeClaim& claim;
  const kube::PersistentVolume* volume = nullptr;
  const kube::StorageClass* storage_class = nullptr;
  // Of a class whose volumes nobody makes: all volumes that there are.
  const std::vector<kube::PersistentVolume>* volumes = nullptr;
};

// Whether volumes of this class are only ever made by hand.
bool has_no_provisioner(const kube::StorageClass& storage_class);

// Where the claim lets its pod run; empty: anywhere. Kind::unavailable while it has no volume and
// does not wait for the pod's node either: the volume's place is not known before it is there.
base::Result<std::optional<VolumePlace>> place_of(const ClaimFacts& facts);

// The smallest free volume that serves the claim and that this node reaches; null if there is none.
const kube::PersistentVolume* volume_for(const ClaimFacts& facts, const kube::Node& node);

}  // namespace workload
