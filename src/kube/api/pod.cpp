// SPDX-License-Identifier: Apache-2.0
#include "kube/api/pod.h"

#include "kube/api/describe.h"
#include "kube/api/describe_pod_spec.h"

namespace kube::inline api {

BOOST_DESCRIBE_STRUCT(PodStatus, (), (phase, conditions))
BOOST_DESCRIBE_STRUCT(Pod, (), (metadata, spec, status))

namespace {

// Every pod has volumes, few have a claim: only volumes with a claim are kept, to save memory.
void keep_claims_only(std::vector<Volume>& volumes) {
  std::erase_if(volumes, [](const Volume& volume) {
    return !volume.persistentVolumeClaim && !volume.ephemeral;
  });
  volumes.shrink_to_fit();
}

}  // namespace

std::vector<std::string> Pod::claims() const {
  std::vector<std::string> names;
  for (const Volume& volume : spec.volumes) {
    names.push_back(volume.persistentVolumeClaim ? volume.persistentVolumeClaim->claimName
                                                 : metadata.name + "-" + volume.name);
  }
  return names;
}

template <>
base::Result<Pod> decode_object<Pod>(const json::Node& node) {
  TRY(Pod pod, json::decode<Pod>(node));
  keep_claims_only(pod.spec.volumes);
  return pod;
}

}  // namespace kube::inline api
