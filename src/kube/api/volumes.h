// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/meta.h"
#include "kube/api/node_selector.h"
#include "kube/api/resource_list.h"

#include <algorithm>

namespace kube::inline api {

struct VolumeResources {
  ResourceList requests;
};

struct PersistentVolumeClaimSpec {
  std::string volumeName;
  std::optional<std::string> storageClassName;
  std::vector<std::string> accessModes;
  std::string volumeMode;
  VolumeResources resources;

  bool for_one_pod() const {
    return std::ranges::find(accessModes, "ReadWriteOncePod") != accessModes.end();
  }
};

struct PersistentVolumeClaimStatus {
  std::string phase;  // Pending, Bound, Lost
};

// v1
struct PersistentVolumeClaim {
  ObjectMeta metadata;
  PersistentVolumeClaimSpec spec;
  PersistentVolumeClaimStatus status;

  bool bound() const { return !spec.volumeName.empty() && status.phase == "Bound"; }
};

struct VolumeNodeAffinity {
  std::optional<NodeSelector> required;
};

struct ClaimReference {
  std::string namespace_;
  std::string name;
  Uid uid;
};

struct PersistentVolumeSpec {
  ResourceList capacity;
  std::vector<std::string> accessModes;
  std::string storageClassName;
  std::string volumeMode;
  std::optional<ClaimReference> claimRef;
  std::optional<VolumeNodeAffinity> nodeAffinity;
};

struct PersistentVolumeStatus {
  std::string phase;  // Available, Bound, Released, Failed
};

// v1
struct PersistentVolume {
  ObjectMeta metadata;
  PersistentVolumeSpec spec;
  PersistentVolumeStatus status;
};

struct TopologyLabelRequirement {
  std::string key;
  std::vector<std::string> values;
};

struct TopologyTerm {
  std::vector<TopologyLabelRequirement> matchLabelExpressions;
};

// storage.k8s.io/v1
struct StorageClass {
  ObjectMeta metadata;
  std::string provisioner;
  std::string volumeBindingMode;  // Immediate, WaitForFirstConsumer
  std::vector<TopologyTerm> allowedTopologies;

  bool waits_for_a_pod() const { return volumeBindingMode == "WaitForFirstConsumer"; }
};

template <>
base::Result<PersistentVolumeClaim> decode_object<PersistentVolumeClaim>(const json::Node& node);
template <>
base::Result<PersistentVolume> decode_object<PersistentVolume>(const json::Node& node);
template <>
base::Result<StorageClass> decode_object<StorageClass>(const json::Node& node);

template <>
inline const Resource& resource_of<PersistentVolumeClaim>() {
  return kClaims;
}
template <>
inline const Resource& resource_of<PersistentVolume>() {
  return kVolumes;
}
template <>
inline const Resource& resource_of<StorageClass>() {
  return kStorageClasses;
}

}  // namespace kube::inline api
