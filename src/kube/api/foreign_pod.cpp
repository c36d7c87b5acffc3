// SPDX-License-Identifier: Apache-2.0
#include "kube/api/foreign_pod.h"

#include "kube/api/describe.h"
#include "kube/api/describe_pod_spec.h"
#include "kube/api/pod_resources.h"

#include <algorithm>

namespace kube::inline api {
namespace {

// The fields that are decoded: no labels, no annotations, no conditions.
struct WireMetadata {
  std::string name;
  std::string namespace_;
  Uid uid;
  std::string resourceVersion;
  std::optional<std::string> deletionTimestamp;
  std::vector<OwnerReference> ownerReferences;
};
struct WireStatus {
  std::string phase;
};
struct WirePod {
  WireMetadata metadata;
  PodSpec spec;
  WireStatus status;
};

BOOST_DESCRIBE_STRUCT(WireMetadata,
                      (),
                      (name, namespace_, uid, resourceVersion, deletionTimestamp, ownerReferences))
BOOST_DESCRIBE_STRUCT(WireStatus, (), (phase))
BOOST_DESCRIBE_STRUCT(WirePod, (), (metadata, spec, status))

}  // namespace

template <>
base::Result<ForeignPod> decode_object<ForeignPod>(const json::Node& node) {
  TRY(WirePod wire, json::decode<WirePod>(node));
  ForeignPod pod;
  pod.metadata = {std::move(wire.metadata.name),
                  std::move(wire.metadata.namespace_),
                  std::move(wire.metadata.uid),
                  std::move(wire.metadata.resourceVersion),
                  wire.metadata.deletionTimestamp.has_value()};
  pod.node = NodeName(std::move(wire.spec.nodeName));
  pod.of_daemon_set = std::ranges::any_of(
      wire.metadata.ownerReferences,
      [](const OwnerReference& owner) { return owner.controller && owner.kind == "DaemonSet"; });
  pod.ended = wire.status.phase == "Succeeded" || wire.status.phase == "Failed";
  auto requests = pod_requests(wire.spec);
  if (!requests.ok()) return std::move(requests).error().in("$.spec");
  pod.requests = *requests;
  for (Volume& volume : wire.spec.volumes) {
    if (volume.persistentVolumeClaim)
      pod.claims.push_back(std::move(volume.persistentVolumeClaim->claimName));
  }
  return pod;
}

}  // namespace kube::inline api
