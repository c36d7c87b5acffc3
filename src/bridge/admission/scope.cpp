// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/scope.h"

#include <algorithm>

namespace bridge::admission {
namespace {

const std::string kMirrorAnnotation = "kubernetes.io/config.mirror";

bool is_of_daemon_set(const kube::Pod& pod) {
  return std::ranges::any_of(pod.metadata.ownerReferences, [](const kube::OwnerReference& owner) {
    return owner.controller && owner.kind == "DaemonSet" && owner.apiVersion == "apps/v1";
  });
}

}  // namespace

std::optional<bool> managed_by_name(const ManagedNamespaces& managed, const std::string& ns) {
  if (managed.selector) return std::nullopt;
  return std::ranges::find(managed.names, ns) != managed.names.end();
}

bool managed_by_labels(const ManagedNamespaces& managed,
                       const std::map<std::string, std::string>& labels) {
  return managed.selector && kube::matches(*managed.selector, labels);
}

bool is_left_alone(const kube::Pod& pod, const std::string& scheduler_name) {
  if (pod.metadata.annotations.contains(kMirrorAnnotation)) return true;
  return is_of_daemon_set(pod) && pod.spec.schedulerName != scheduler_name;
}

}  // namespace bridge::admission
