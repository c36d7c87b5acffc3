// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/meta.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// The kinds that run pods, as a controller observes them: their progress, not their template. A
// controller composes the objects that it writes as JSON (client/api.h, apply).
namespace kube::inline api {

struct ReplicasSpec {
  std::optional<std::int32_t> replicas;  // empty: 1
};

struct ReplicasStatus {
  std::int64_t observedGeneration = 0;
  std::int32_t replicas = 0;
  std::int32_t readyReplicas = 0;
  std::int32_t updatedReplicas = 0;
  std::int32_t availableReplicas = 0;
  std::string currentRevision;  // of a StatefulSet
  std::string updateRevision;
  std::vector<Condition> conditions;
};

struct StatefulSet {
  ObjectMeta metadata;
  ReplicasSpec spec;
  ReplicasStatus status;
};

struct Deployment {
  ObjectMeta metadata;
  ReplicasSpec spec;
  ReplicasStatus status;
};

struct DaemonSetStatus {
  std::int64_t observedGeneration = 0;
  std::int32_t desiredNumberScheduled = 0;
  std::int32_t currentNumberScheduled = 0;
  std::int32_t updatedNumberScheduled = 0;
  std::int32_t numberReady = 0;
  std::vector<Condition> conditions;
};

struct DaemonSet {
  ObjectMeta metadata;
  DaemonSetStatus status;
};

// Whether the controller has observed the current spec, and all desired replicas are updated and
// ready.
bool is_rolled_out(const StatefulSet& set);
bool is_rolled_out(const Deployment& deployment);
bool is_rolled_out(const DaemonSet& set);

struct JobStatus {
  std::int32_t active = 0;
  std::int32_t succeeded = 0;
  std::int32_t failed = 0;
  std::vector<Condition> conditions;
};

struct Job {
  ObjectMeta metadata;
  JobStatus status;
};

struct ContainerStateWaiting {
  std::string reason;
  std::string message;
};

struct ContainerStateRunning {
  std::string startedAt;
};

struct ContainerStateTerminated {
  std::int32_t exitCode = 0;
  std::string reason;
  std::string message;
  std::string finishedAt;
};

struct ContainerState {
  std::optional<ContainerStateWaiting> waiting;
  std::optional<ContainerStateRunning> running;
  std::optional<ContainerStateTerminated> terminated;
};

struct ContainerStatus {
  std::string name;
  bool ready = false;
  std::int32_t restartCount = 0;
  std::string image;
  std::string imageID;
  ContainerState state;
  ContainerState lastState;
};

struct ObservedPodSpec {
  std::string nodeName;
  std::string hostname;
};

struct ObservedPodStatus {
  std::string phase;
  std::string reason;
  std::string message;
  std::string podIP;
  std::string startTime;
  std::vector<Condition> conditions;
  std::vector<ContainerStatus> containerStatuses;
  std::vector<ContainerStatus> initContainerStatuses;
};

// A pod as observed by the controller that created it. Pod (pod.h) has what a scheduler needs.
struct ObservedPod {
  ObjectMeta metadata;
  ObservedPodSpec spec;
  ObservedPodStatus status;

  bool ready() const;
};

template <>
base::Result<StatefulSet> decode_object<StatefulSet>(const json::Node& node);
template <>
inline const Resource& resource_of<StatefulSet>() {
  return kStatefulSets;
}

template <>
base::Result<Deployment> decode_object<Deployment>(const json::Node& node);
template <>
inline const Resource& resource_of<Deployment>() {
  return kDeployments;
}

template <>
base::Result<DaemonSet> decode_object<DaemonSet>(const json::Node& node);
template <>
inline const Resource& resource_of<DaemonSet>() {
  return kDaemonSets;
}

template <>
base::Result<Job> decode_object<Job>(const json::Node& node);
template <>
inline const Resource& resource_of<Job>() {
  return kJobs;
}

template <>
base::Result<ObservedPod> decode_object<ObservedPod>(const json::Node& node);
template <>
inline const Resource& resource_of<ObservedPod>() {
  return kPods;
}

}  // namespace kube::inline api
