// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/scope.h"

#include <algorithm>
#include <string_view>

namespace bridge::admission {
namespace {

const std::string kMirrorAnnotation = "kubernetes.io/config.mirror";
// The API server's default if the author named no scheduler.
constexpr std::string_view kDefaultScheduler = "default-scheduler";

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

TrustedNamespaces trusted_namespaces(const ManagedNamespaces& managed, const std::string& own) {
  TrustedNamespaces trusted{"kube-system", "kube-public", "kube-node-lease"};
  trusted.insert(managed.daemon_set_namespaces.begin(), managed.daemon_set_namespaces.end());
  if (!own.empty()) trusted.insert(own);
  return trusted;
}

Treatment treatment_of(const kube::Pod& pod,
                       const std::string& ns,
                       const TrustedNamespaces& trusted,
                       const std::string& scheduler_name) {
  if (pod.metadata.annotations.contains(kMirrorAnnotation)) return Treatment::left_alone;
  const std::string& chosen = pod.spec.schedulerName;
  if (!is_of_daemon_set(pod) || chosen == scheduler_name) return Treatment::judged;
  if (trusted.contains(ns)) return Treatment::left_alone;
  const bool chose_none = chosen.empty() || chosen == kDefaultScheduler;
  return chose_none ? Treatment::denied : Treatment::judged;
}

}  // namespace bridge::admission
