// SPDX-License-Identifier: Apache-2.0
#include "models/kube/resource.h"

namespace models::kube {

std::vector<KubeResource> builtin_resources() {
  constexpr bool kYes = true;
  constexpr bool kNo = false;
  // group, version, plural, kind, namespaced, status, generations, may be overwritten, PUT creates
  return {
      {"", "v1", "pods", "Pod", kYes, kYes, kYes, kYes, kNo},
      {"", "v1", "nodes", "Node", kNo, kYes, kNo, kYes, kNo},
      {"", "v1", "namespaces", "Namespace", kNo, kYes, kNo, kYes, kNo},
      {"", "v1", "events", "Event", kYes, kNo, kNo, kYes, kYes},
      {"events.k8s.io", "v1", "events", "Event", kYes, kNo, kNo, kYes, kYes},
      {"coordination.k8s.io", "v1", "leases", "Lease", kYes, kNo, kNo, kNo, kYes},
      {"", "v1", "configmaps", "ConfigMap", kYes, kNo, kNo, kYes, kNo},
      {"", "v1", "secrets", "Secret", kYes, kNo, kNo, kYes, kNo},
      {"", "v1", "services", "Service", kYes, kYes, kNo, kYes, kYes},
      {"", "v1", "serviceaccounts", "ServiceAccount", kYes, kNo, kNo, kYes, kNo},
      {"", "v1", "persistentvolumes", "PersistentVolume", kNo, kYes, kNo, kYes, kNo},
      {"", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", kYes, kYes, kNo, kYes, kNo},
      {"storage.k8s.io", "v1", "storageclasses", "StorageClass", kNo, kNo, kNo, kYes, kNo},
      {"batch", "v1", "jobs", "Job", kYes, kYes, kYes, kYes, kNo},
      {"apps", "v1", "deployments", "Deployment", kYes, kYes, kYes, kYes, kNo},
      {"apps", "v1", "replicasets", "ReplicaSet", kYes, kYes, kYes, kYes, kNo},
      {"apps", "v1", "statefulsets", "StatefulSet", kYes, kYes, kYes, kYes, kNo},
      {"apps", "v1", "daemonsets", "DaemonSet", kYes, kYes, kYes, kYes, kNo},
      {"scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", kNo, kNo, kYes, kYes, kNo},
      {"resource.k8s.io", "v1", "resourceclaims", "ResourceClaim", kYes, kYes, kNo, kYes, kNo},
      {"resource.k8s.io", "v1", "deviceclasses", "DeviceClass", kNo, kNo, kYes, kYes, kNo},
      {"resource.k8s.io", "v1", "resourceslices", "ResourceSlice", kNo, kNo, kYes, kYes, kYes},
  };
}

}  // namespace models::kube
