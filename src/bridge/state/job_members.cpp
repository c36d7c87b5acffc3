// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/job_members.h"

#include "bridge/marks/job_claim.h"
#include "bridge/marks/named_job.h"
#include "workload/wellknown.h"

#include <algorithm>
#include <set>
#include <utility>

namespace bridge::state {
namespace {

bool is_live(const kube::Pod& pod) {
  const bool never_started = pod.metadata.deleting() && !pod.bound();
  return !pod.ended() && !never_started;
}

// The pods that the admin_comment or the identity lists and the pods that name the job.
std::set<kube::ObjectKey> candidates(ClusterState& cluster,
                                     slurm::JobId job,
                                     std::string_view admin_comment) {
  std::set<kube::ObjectKey> keys = cluster.pods_of(job);
  for (kube::ObjectKey& key : workload::read_reference_pods(admin_comment))
    keys.insert(std::move(key));
  if (const auto identity = workload::read_identity(admin_comment)) {
    for (const workload::Member& member : identity->members) keys.insert(member.pod);
  }
  return keys;
}

bool take(std::vector<kube::NodeName>& free, const std::string& node) {
  const auto place =
      std::ranges::find_if(free, [&](const kube::NodeName& one) { return one.value() == node; });
  if (place == free.end()) return false;
  free.erase(place);
  return true;
}

}  // namespace

Stake stake_in(const DescribedJob& job, const kube::Pod& pod, bool on_its_nodes) {
  const auto named = marks::named_job(pod);
  if (!is_live(pod) || (named && *named != job.id)) return Stake::none;
  const bool listed = marks::is_job_of(job.admin_comment, pod, job.bridge);
  if (named && listed) return Stake::releases;
  // A uid is proof. The scheduler writes the label again.
  if (workload::read_identity(job.admin_comment)) return listed ? Stake::holds : Stake::none;
  if (workload::read_reference_pods(job.admin_comment).empty()) return Stake::none;
  return (named || listed) && on_its_nodes ? Stake::holds : Stake::none;
}

Stake stake_of_others(ClusterState& cluster,
                      slurm::JobId job,
                      std::string_view admin_comment,
                      const kube::Uid& besides) {
  const slurm::JobView* view = cluster.mirror().find(job);
  const std::vector<slurm::SlurmNodeName> nodes =
      view != nullptr ? view->nodes : std::vector<slurm::SlurmNodeName>();
  const DescribedJob described{job, admin_comment, cluster.bridge()};
  Stake greatest = Stake::none;
  for (const kube::ObjectKey& key : candidates(cluster, job, admin_comment)) {
    const auto pod = cluster.pods().find(key);
    if (!pod || pod->metadata.uid == besides) continue;
    // If it is unknown whether the pod's node is a node of the job, it counts as one.
    const bool on_its_nodes = pod->bound() && cluster.is_among(*pod, nodes).value_or(true);
    const Stake stake = stake_in(described, *pod, on_its_nodes);
    if (stake == Stake::releases) return stake;
    if (stake == Stake::holds) greatest = stake;
  }
  return greatest;
}

std::size_t listed_pods(std::string_view admin_comment) {
  if (const auto identity = workload::read_identity(admin_comment)) return identity->members.size();
  return workload::read_reference_pods(admin_comment).size();
}

std::optional<kube::NodeName> assigned_node(const kube::ObjectKey& pod,
                                            const std::vector<kube::NodeName>& nodes,
                                            std::vector<Seat> seats) {
  std::vector<kube::NodeName> free = nodes;
  std::ranges::sort(seats, {}, &Seat::pod);
  const auto node_named = [&](const std::string& name) {
    return *std::ranges::find_if(nodes, [&](const auto& node) { return node.value() == name; });
  };
  for (const Seat& seat : seats) {
    const bool had = !seat.bound.empty() && take(free, seat.bound);
    if (had && seat.pod == pod) return node_named(seat.bound);
  }
  std::erase_if(seats, [](const Seat& seat) { return !seat.bound.empty(); });
  std::vector<kube::ObjectKey> without;
  for (const Seat& seat : seats) {
    if (!take(free, seat.annotated)) {
      without.push_back(seat.pod);
    } else if (seat.pod == pod) {
      return node_named(seat.annotated);
    }
  }
  const auto rank = static_cast<std::size_t>(std::ranges::find(without, pod) - without.begin());
  if (rank >= std::min(without.size(), free.size())) return std::nullopt;
  return free[rank];
}

std::optional<kube::NodeName> node_for(ClusterState& cluster,
                                       const kube::Pod& pod,
                                       slurm::JobId job) {
  const slurm::JobView* view = cluster.mirror().find(job);
  if (view == nullptr || !view->placed() || view->nodes.size() < 2) return cluster.node_of(view);
  std::vector<kube::NodeName> nodes;
  for (const slurm::SlurmNodeName& name : view->nodes) {
    if (auto node = cluster.names().kubernetes_name(name)) nodes.push_back(*std::move(node));
  }
  std::vector<Seat> seats;
  for (const kube::ObjectKey& key : cluster.pods_of(job)) {
    const auto member = cluster.pods().find(key);
    if (!member || !is_live(*member) || marks::named_job(*member) != job) continue;
    if (!cluster.is_job_of(job, *member).value_or(false)) continue;
    seats.push_back(
        {key, member->spec.nodeName, member->metadata.annotation(workload::kNodeAnnotation)});
  }
  return assigned_node(pod.metadata.key(), nodes, std::move(seats));
}

}  // namespace bridge::state
