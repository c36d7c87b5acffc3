// SPDX-License-Identifier: Apache-2.0
#include "kube/api/workloads.h"

#include "kube/api/conditions.h"
#include "kube/api/describe.h"

namespace kube::inline api {

BOOST_DESCRIBE_STRUCT(ReplicasSpec, (), (replicas))
BOOST_DESCRIBE_STRUCT(ReplicasStatus,
                      (),
                      (observedGeneration,
                       replicas,
                       readyReplicas,
                       updatedReplicas,
                       availableReplicas,
                       currentRevision,
                       updateRevision,
                       conditions))
BOOST_DESCRIBE_STRUCT(StatefulSet, (), (metadata, spec, status))
BOOST_DESCRIBE_STRUCT(Deployment, (), (metadata, spec, status))
BOOST_DESCRIBE_STRUCT(DaemonSetStatus,
                      (),
                      (observedGeneration,
                       desiredNumberScheduled,
                       currentNumberScheduled,
                       updatedNumberScheduled,
                       numberReady,
                       conditions))
BOOST_DESCRIBE_STRUCT(DaemonSet, (), (metadata, status))
BOOST_DESCRIBE_STRUCT(JobStatus, (), (active, succeeded, failed, conditions))
BOOST_DESCRIBE_STRUCT(Job, (), (metadata, status))
BOOST_DESCRIBE_STRUCT(ContainerStateWaiting, (), (reason, message))
BOOST_DESCRIBE_STRUCT(ContainerStateRunning, (), (startedAt))
BOOST_DESCRIBE_STRUCT(ContainerStateTerminated, (), (exitCode, reason, message, finishedAt))
BOOST_DESCRIBE_STRUCT(ContainerState, (), (waiting, running, terminated))
BOOST_DESCRIBE_STRUCT(ContainerStatus,
                      (),
                      (name, ready, restartCount, image, imageID, state, lastState))
BOOST_DESCRIBE_STRUCT(ObservedPodSpec, (), (nodeName, hostname))
BOOST_DESCRIBE_STRUCT(ObservedPodStatus,
                      (),
                      (phase,
                       reason,
                       message,
                       podIP,
                       startTime,
                       conditions,
                       containerStatuses,
                       initContainerStatuses))
BOOST_DESCRIBE_STRUCT(ObservedPod, (), (metadata, spec, status))

namespace {

bool is_current(const ObjectMeta& metadata,
                const ReplicasSpec& spec,
                const ReplicasStatus& status) {
  const std::int32_t wanted = spec.replicas.value_or(1);
  return status.observedGeneration >= metadata.generation && status.updatedReplicas == wanted &&
         status.readyReplicas == wanted && status.replicas == wanted;
}

}  // namespace

bool is_rolled_out(const StatefulSet& set) {
  return is_current(set.metadata, set.spec, set.status);
}

bool is_rolled_out(const Deployment& deployment) {
  return is_current(deployment.metadata, deployment.spec, deployment.status);
}

bool is_rolled_out(const DaemonSet& set) {
  const DaemonSetStatus& status = set.status;
  const std::int32_t wanted = status.desiredNumberScheduled;
  return status.observedGeneration >= set.metadata.generation &&
         status.currentNumberScheduled == wanted && status.updatedNumberScheduled == wanted &&
         status.numberReady == wanted;
}

bool ObservedPod::ready() const {
  return is_true(status.conditions, "Ready");
}

template <>
base::Result<StatefulSet> decode_object<StatefulSet>(const json::Node& node) {
  return json::decode<StatefulSet>(node);
}

template <>
base::Result<Deployment> decode_object<Deployment>(const json::Node& node) {
  return json::decode<Deployment>(node);
}

template <>
base::Result<DaemonSet> decode_object<DaemonSet>(const json::Node& node) {
  return json::decode<DaemonSet>(node);
}

template <>
base::Result<Job> decode_object<Job>(const json::Node& node) {
  return json::decode<Job>(node);
}

template <>
base::Result<ObservedPod> decode_object<ObservedPod>(const json::Node& node) {
  return json::decode<ObservedPod>(node);
}

}  // namespace kube::inline api
