// SPDX-License-Identifier: Apache-2.0
#pragma once

// Only for the .cpp of a kind: decoding of the spec of a pod.
#include "kube/api/decode_quantity.h"
#include "kube/api/describe_node_selector.h"
#include "kube/api/pod.h"

namespace kube::inline api {

BOOST_DESCRIBE_STRUCT(ResourceRequirements, (), (requests, limits))
BOOST_DESCRIBE_STRUCT(Container, (), (name, resources, restartPolicy))
BOOST_DESCRIBE_STRUCT(Toleration, (), (key, operator_, value, effect, tolerationSeconds))
BOOST_DESCRIBE_STRUCT(PodSchedulingGate, (), (name))
BOOST_DESCRIBE_STRUCT(NodeAffinity, (), (requiredDuringSchedulingIgnoredDuringExecution))
BOOST_DESCRIBE_STRUCT(PodAffinityTerm, (), ())
BOOST_DESCRIBE_STRUCT(PodAffinity, (), (requiredDuringSchedulingIgnoredDuringExecution))
BOOST_DESCRIBE_STRUCT(Affinity, (), (nodeAffinity, podAffinity, podAntiAffinity))
BOOST_DESCRIBE_STRUCT(PodSchedulingGroup, (), (podGroupName))
BOOST_DESCRIBE_STRUCT(PersistentVolumeClaimSource, (), (claimName))
BOOST_DESCRIBE_STRUCT(EphemeralVolumeSource, (), ())
BOOST_DESCRIBE_STRUCT(Volume, (), (name, persistentVolumeClaim, ephemeral))
BOOST_DESCRIBE_STRUCT(PodResourceClaim, (), ())
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
                       activeDeadlineSeconds,
                       nodeSelector,
                       affinity,
                       volumes,
                       resourceClaims,
                       schedulingGroup))

}  // namespace kube::inline api
