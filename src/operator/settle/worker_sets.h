// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/api/generated/node_set.h"
#include "operator/settle/cluster.h"

#include <span>

namespace slurmop::settle {

// The workers of spec.slurmNodes.worker as a set of the cluster, which has the field.
WorkerSet worker_form_set(const Cluster& cluster, api::Findings& findings);

// The workers of a NodeSet.
WorkerSet node_set_workers(const api::NodeSet& node_set,
                           const Defaults& defaults,
                           api::Findings& findings);

// Adds an error for each set whose pods or Slurm nodes cannot be told from others by their names.
void check_set_names(const std::vector<WorkerSet>& sets,
                     const Names& names,
                     api::Findings& findings);

// The reference of objects that the owner manages. An object that is being created has no uid yet.
kube::OwnerReference owner_reference(const kube::Resource& resource,
                                     const kube::ObjectMeta& metadata);

// "NodeSet gpu: spec.replicas": the field of a NodeSet in the findings of its cluster.
std::string field_of_node_set(std::string_view node_set, std::string_view field);

}  // namespace slurmop::settle
