// SPDX-License-Identifier: Apache-2.0
#include "kube/api/volumes.h"

#include "kube/api/decode_quantity.h"
#include "kube/api/describe.h"
#include "kube/api/describe_node_selector.h"

namespace kube::inline api {

BOOST_DESCRIBE_STRUCT(VolumeResources, (), (requests))
BOOST_DESCRIBE_STRUCT(PersistentVolumeClaimSpec,
                      (),
                      (volumeName, storageClassName, accessModes, volumeMode, resources))
BOOST_DESCRIBE_STRUCT(PersistentVolumeClaimStatus, (), (phase))
BOOST_DESCRIBE_STRUCT(PersistentVolumeClaim, (), (metadata, spec, status))
BOOST_DESCRIBE_STRUCT(VolumeNodeAffinity, (), (required))
BOOST_DESCRIBE_STRUCT(ClaimReference, (), (namespace_, name, uid))
BOOST_DESCRIBE_STRUCT(PersistentVolumeSpec,
                      (),
                      (capacity, accessModes, storageClassName, volumeMode, claimRef, nodeAffinity))
BOOST_DESCRIBE_STRUCT(PersistentVolumeStatus, (), (phase))
BOOST_DESCRIBE_STRUCT(PersistentVolume, (), (metadata, spec, status))
BOOST_DESCRIBE_STRUCT(TopologyLabelRequirement, (), (key, values))
BOOST_DESCRIBE_STRUCT(TopologyTerm, (), (matchLabelExpressions))
BOOST_DESCRIBE_STRUCT(StorageClass,
                      (),
                      (metadata, provisioner, volumeBindingMode, allowedTopologies))

template <>
base::Result<PersistentVolumeClaim> decode_object<PersistentVolumeClaim>(const json::Node& node) {
  return json::decode<PersistentVolumeClaim>(node);
}

template <>
base::Result<PersistentVolume> decode_object<PersistentVolume>(const json::Node& node) {
  return json::decode<PersistentVolume>(node);
}

template <>
base::Result<StorageClass> decode_object<StorageClass>(const json::Node& node) {
  return json::decode<StorageClass>(node);
}

}  // namespace kube::inline api
