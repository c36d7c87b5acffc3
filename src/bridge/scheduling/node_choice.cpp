// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/node_choice.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace bridge::scheduling {

net::Task<base::Result<NodeVerdicts::Verdict>> NodeChoice::of(
    std::shared_ptr<const kube::Pod> pod,
    std::string partition,
    std::set<slurm::SlurmNodeName> avoid) {
  CO_TRY(workload::VolumePlaces volumes, co_await volumes_.of(*pod));
  if (auto taken = claim_in_use(cluster_, *pod, volumes.for_one_pod))
    co_return base::Error(base::Kind::unavailable, *std::move(taken));
  PlacementRequest request{
      std::move(pod), std::move(partition), std::move(volumes), std::move(avoid)};
  co_return co_await verdicts_.of(std::move(request));
}

std::optional<std::string> claim_in_use(const state::ClusterState& cluster,
                                        const kube::Pod& pod,
                                        const std::vector<std::string>& for_one_pod) {
  for (const std::string& name : for_one_pod) {
    const kube::ObjectKey claim{pod.metadata.namespace_, name};
    const auto user = cluster.user_of(claim, pod.metadata.uid);
    if (!user) continue;
    return fmt::format("claim {} is for one pod at a time (ReadWriteOncePod), and pod {} has it",
                       claim.to_string(),
                       user->name);
  }
  return std::nullopt;
}

}  // namespace bridge::scheduling
