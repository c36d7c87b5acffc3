// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/state/cluster_state.h"

#include <optional>
#include <string_view>
#include <vector>

// A job that stands for several pods: SlinkyProject/slurm-bridge runs a PodGroup or a
// LeaderWorkerSet group as one job with one node per pod. The bridge submits one job per pod, but
// such jobs may exist when it replaces the reference.
namespace bridge::state {

// What a job means to one pod.
enum class Stake {
  none,      // the pod does not need the job
  releases,  // a live pod of the job, by its label and by the job's admin_comment
  holds,     // the pod needs the job, but its label and the job's admin_comment do not agree
};

// A job as of Slurm's latest answer.
struct DescribedJob {
  slurm::JobId id;
  std::string_view admin_comment;
  const workload::BridgeIdentity& bridge;
};

// Expects     on_its_nodes: whether the pod is bound to a node of the job.
// Guarantees  `none` for a pod that has ended, was deleted before it was bound, or names another
//             job. In a job of the reference, `none` also for a pod without label and node: it gets
//             a job of its own. In a job of ours, only a pod whose uid is in the identity has a
//             stake.
Stake stake_in(const DescribedJob& job, const kube::Pod& pod, bool on_its_nodes);

// The stake of all pods except `besides`: `releases` if one pod has it, else `holds` if one has it.
//
//   none      the job may be cancelled on behalf of `besides`.
//   releases  the job must stay; the end of the last of these pods releases it.
//   holds     the job must stay, and the end of these pods does not release it.
Stake stake_of_others(ClusterState& cluster,
                      slurm::JobId job,
                      std::string_view admin_comment,
                      const kube::Uid& besides);

// How many pods the admin_comment lists.
std::size_t listed_pods(std::string_view admin_comment);

// A live pod of a job, with the node that it is bound to and the node that its annotation names.
struct Seat {
  kube::ObjectKey pod;
  std::string bound;      // empty: not bound
  std::string annotated;  // empty: not annotated
};

// Which of the job's nodes a pod gets: the node that it is bound to, else the annotated node unless
// another pod has it, else one of the remaining nodes, assigned in the order of the pods' names.
//
// Guarantees  two pods never get the same node, whatever their annotations; binding a pod does not
//             change the nodes of the others. Empty: the job has no node left for the pod.
std::optional<kube::NodeName> assigned_node(const kube::ObjectKey& pod,
                                            const std::vector<kube::NodeName>& nodes,
                                            std::vector<Seat> seats);

// The Kubernetes node that the running job has for this pod. Empty if the job has no node for the
// pod, or if that node has no Kubernetes name.
std::optional<kube::NodeName> node_for(ClusterState& cluster,
                                       const kube::Pod& pod,
                                       slurm::JobId job);

}  // namespace bridge::state
