// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/state/cluster_state.h"

#include <optional>
#include <string_view>
#include <vector>

// A job that stands for several pods: SlinkyProject/slurm-bridge runs a PodGroup or a
// LeaderWorkerSet group as one job with one node per pod. We schedule pod by pod, but such a job
// may be there when we take over.
namespace bridge::state {

// What a job means to one pod.
enum class Stake {
  none,      // the pod does not need the job
  releases,  // a live pod of the job, by its label and by the job's admin_comment
  holds,     // it runs on a node of the job, but label and admin_comment do not agree
};

// A job as Slurm described it last.
struct DescribedJob {
  slurm::JobId id;
  std::string_view admin_comment;
  const workload::BridgeIdentity& bridge;
};

// Expects     on_its_nodes: whether the pod is bound to a node of the job.
// Guarantees  none for a pod that has ended, for a pod that is deleted before it was bound, for a
//             pod that names another job, and for a pod without label and node: it gets a job of
//             its own. Of our own jobs only a pod whose uid is in the job's identity has a stake.
Stake stake_in(const DescribedJob& job, const kube::Pod& pod, bool on_its_nodes);

// The greatest stake of all pods but one.
//
//   none      the job may be cancelled on behalf of that pod.
//   releases  the job must stay; it is released at the end of the last of these pods.
//   holds     the job must stay, and nobody else would release it later.
Stake stake_of_others(ClusterState& cluster,
                      slurm::JobId job,
                      std::string_view admin_comment,
                      const kube::Uid& besides);

// How many pods the admin_comment lists.
std::size_t listed_pods(std::string_view admin_comment);

// A live pod of a job and the node that it has, or that its annotation names.
struct Seat {
  kube::ObjectKey pod;
  std::string bound;      // empty: not bound
  std::string annotated;  // empty: not annotated
};

// Which of the job's nodes a pod gets: the one that it is bound to, else the annotated one unless
// another pod has it, else the first that is left, pod by pod in the order of their names.
//
// Guarantees  two seats never get the same node, whatever was annotated; as pods are bound, the
//             others keep their nodes. Empty: the job has fewer nodes than pods.
std::optional<kube::NodeName> assigned_node(const kube::ObjectKey& pod,
                                            const std::vector<kube::NodeName>& nodes,
                                            std::vector<Seat> seats);

// The Kubernetes node that the running job has for this pod. Empty if the job has none for it, or
// Kubernetes does not know it.
std::optional<kube::NodeName> node_for(ClusterState& cluster,
                                       const kube::Pod& pod,
                                       slurm::JobId job);

}  // namespace bridge::state
