// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

// Labels and annotations of the objects of a cluster.
namespace slurmop::objects {

inline constexpr std::string_view kFieldManager = "slurm-operator";
inline constexpr std::string_view kManagedBy = "app.kubernetes.io/managed-by";
inline constexpr std::string_view kInstance = "app.kubernetes.io/instance";
inline constexpr std::string_view kComponent = "app.kubernetes.io/component";
inline constexpr std::string_view kNodeSetLabel = "slurm.nebius.ai/nodeset";
inline constexpr std::string_view kWorkerLabel = "slurm.nebius.ai/worker";
// Selects every object that the operator created, in caches and for pruning.
inline constexpr std::string_view kManagedSelector = "app.kubernetes.io/managed-by=slurm-operator";
// Annotation of a worker pod: hash of the template from which it was created.
inline constexpr std::string_view kTemplateHash = "slurm.nebius.ai/template-hash";

using Labels = std::map<std::string, std::string>;

// name=slurmcluster, instance, component, part-of, managed-by.
Labels labels(std::string_view cluster, std::string_view component);
// The subset that selectors use: name, instance, component.
Labels selector(std::string_view cluster, std::string_view component);

}  // namespace slurmop::objects
