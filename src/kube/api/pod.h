// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/meta.h"
#include "kube/api/node_selector.h"
#include "kube/api/resource_list.h"

#include <cstdint>

namespace kube::inline api {

struct ResourceRequirements {
  ResourceList requests;
  ResourceList limits;
};

struct Container {
  std::string name;
  ResourceRequirements resources;
  std::string restartPolicy;  // "Always" makes an init container a sidecar
};

struct Toleration {
  std::string key;
  std::string operator_;
  std::string value;
  std::string effect;
  std::optional<std::int64_t> tolerationSeconds;

  friend bool operator==(const Toleration&, const Toleration&) = default;
};

struct PodSchedulingGate {
  std::string name;
};

struct NodeAffinity {
  std::optional<NodeSelector> requiredDuringSchedulingIgnoredDuringExecution;
};

// The selected pods are not needed, only that the pod has a required term.
struct PodAffinityTerm {};

struct PodAffinity {
  std::vector<PodAffinityTerm> requiredDuringSchedulingIgnoredDuringExecution;
};

struct Affinity {
  std::optional<NodeAffinity> nodeAffinity;
  std::optional<PodAffinity> podAffinity{};
  std::optional<PodAffinity> podAntiAffinity{};
};

// Membership in a PodGroup of scheduling.k8s.io (Kubernetes 1.36).
struct PodSchedulingGroup {
  std::string podGroupName;
};

struct PersistentVolumeClaimSource {
  std::string claimName;
};

// The claim is created for this pod and named "<pod>-<volume>".
struct EphemeralVolumeSource {};

struct Volume {
  std::string name;
  std::optional<PersistentVolumeClaimSource> persistentVolumeClaim;
  std::optional<EphemeralVolumeSource> ephemeral;
};

// A device claim that exists separately or is created for the pod. The name of the claim is not
// needed.
struct PodResourceClaim {};

struct PodSpec {
  std::string schedulerName;
  std::string nodeName;
  std::vector<Container> containers;
  std::vector<Container> initContainers;
  std::optional<ResourceRequirements> resources;
  ResourceList overhead;
  std::vector<Toleration> tolerations;
  std::vector<PodSchedulingGate> schedulingGates;
  std::optional<std::int64_t> activeDeadlineSeconds;
  std::map<std::string, std::string> nodeSelector;
  std::optional<Affinity> affinity;
  std::vector<Volume> volumes;  // only those that refer to a claim
  std::vector<PodResourceClaim> resourceClaims;
  std::optional<PodSchedulingGroup> schedulingGroup;
};

struct PodStatus {
  std::string phase;
  std::vector<Condition> conditions;
};

struct Pod {
  ObjectMeta metadata;
  PodSpec spec;
  PodStatus status;

  bool bound() const { return !spec.nodeName.empty(); }
  // Its containers have ended permanently; it no longer occupies its node.
  bool ended() const { return status.phase == "Succeeded" || status.phase == "Failed"; }
  // Names of the claims of its volumes, in its own namespace.
  std::vector<std::string> claims() const;
};

template <>
base::Result<Pod> decode_object<Pod>(const json::Node& node);

template <>
inline const Resource& resource_of<Pod>() {
  return kPods;
}

}  // namespace kube::inline api
