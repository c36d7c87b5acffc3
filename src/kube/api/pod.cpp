// SPDX-License-Identifier: Apache-2.0
#include "kube/api/pod.h"

#include "kube/api/decode_quantity.h"
#include "kube/api/describe.h"

namespace kube {

BOOST_DESCRIBE_STRUCT(ResourceRequirements, (), (requests, limits))
BOOST_DESCRIBE_STRUCT(Container, (), (name, resources, restartPolicy))
BOOST_DESCRIBE_STRUCT(Toleration, (), (key, operator_, value, effect, tolerationSeconds))
BOOST_DESCRIBE_STRUCT(PodSchedulingGate, (), (name))
BOOST_DESCRIBE_STRUCT(PodSpec,
                      (),
                      (schedulerName,
                       nodeName,
                       containers,
                       initContainers,
                       resources,
                       overhead,
                       tolerations,
                       schedulingGates,
                       activeDeadlineSeconds))
BOOST_DESCRIBE_STRUCT(PodStatus, (), (phase, conditions))
BOOST_DESCRIBE_STRUCT(Pod, (), (metadata, spec, status))

template <>
base::Result<Pod> decode_object<Pod>(const json::Node& node) {
  return json::decode<Pod>(node);
}

}  // namespace kube
