// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"
#include "kube/label_selector.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

// Which pods are admission's business.
namespace bridge::admission {

// Namespaces whose pods are Slurm's. A selector replaces the list altogether, also one that is
// empty: that means every namespace.
struct ManagedNamespaces {
  std::vector<std::string> names;
  std::optional<kube::LabelSelector> selector;
};

// Whether pods of this namespace are managed; empty if only its labels can tell.
std::optional<bool> managed_by_name(const ManagedNamespaces& managed, const std::string& ns);
// Expects     a selector.
bool managed_by_labels(const ManagedNamespaces& managed,
                       const std::map<std::string, std::string>& labels);

// Pods that belong to one node and whose place is not for Slurm to decide: the kubelet's mirrors of
// static pods, and those of a DaemonSet unless they name our scheduler themselves.
//
// Does not    prove who made the pod: whoever may create pods can say that a DaemonSet did. Such a
//             pod stays with the default scheduler, and nothing of Slurm's hangs on it.
bool is_left_alone(const kube::Pod& pod, const std::string& scheduler_name);

}  // namespace bridge::admission
