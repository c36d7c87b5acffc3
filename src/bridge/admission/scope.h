// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/label_selector.h"
#include "kube/api/pod.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// The pods that admission handles.
namespace bridge::admission {

// Namespaces whose pods Slurm schedules. A selector replaces the list, even an empty selector,
// which matches every namespace.
struct ManagedNamespaces {
  std::vector<std::string> names;
  std::optional<kube::LabelSelector> selector;
  // Namespaces of administrators, managed or not: their DaemonSet pods need no Slurm job.
  std::vector<std::string> daemon_set_namespaces{};
};

// Whether pods of this namespace are managed; empty if that depends on its labels.
std::optional<bool> managed_by_name(const ManagedNamespaces& managed, const std::string& ns);
// Expects     a selector.
bool managed_by_labels(const ManagedNamespaces& managed,
                       const std::map<std::string, std::string>& labels);

// Namespaces in which admission ignores DaemonSet pods.
using TrustedNamespaces = std::set<std::string, std::less<>>;

// The configured namespaces, the bridge's own (empty: unknown) and those of Kubernetes itself:
// kube-system, kube-public and kube-node-lease are always trusted, because a node does not work
// without its network and proxy pods.
TrustedNamespaces trusted_namespaces(const ManagedNamespaces& managed, const std::string& own);

// How admission treats a pod because of its origin.
enum class Treatment {
  judged,      // completed and checked like any other pod
  left_alone,  // a mirror of a static pod, or a DaemonSet pod of a trusted namespace
  denied,      // a DaemonSet pod elsewhere: it would use a Slurm node without a job
};

// A DaemonSet pod whose template names a scheduler, ours or another, is judged like any other pod.
//
// Does not    prove the origin of the pod: every user who may create pods can name a DaemonSet as
//             the owner. Therefore only trusted namespaces are exempt.
Treatment treatment_of(const kube::Pod& pod,
                       const std::string& ns,
                       const TrustedNamespaces& trusted,
                       const std::string& scheduler_name);

}  // namespace bridge::admission
