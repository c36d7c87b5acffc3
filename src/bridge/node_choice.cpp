// SPDX-License-Identifier: Apache-2.0
#include "bridge/node_choice.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace bridge {

net::Task<base::Result<Exclusions>> NodeChoice::of(std::shared_ptr<const kube::Pod> pod,
                                                   std::string partition,
                                                   std::set<slurm::SlurmNodeName> avoid) {
  CO_TRY(workload::VolumePlaces volumes, co_await volumes_.of(*pod));
  if (auto taken = claim_in_use(picture_, *pod, volumes.for_one_pod))
    co_return base::Error(base::Kind::unavailable, *std::move(taken));
  const Needs needs{*pod, std::move(partition), std::move(volumes), std::move(avoid)};

  std::vector<std::shared_ptr<const kube::Node>> kept;  // for as long as candidates name them
  std::vector<Candidate> candidates;
  for (const slurm::SlurmNodeName& name : picture_.slurm_nodes().names()) {
    kept.push_back(picture_.kubernetes_node(name));
    const kube::Node* node = kept.back().get();
    candidates.push_back({*picture_.slurm_nodes().find(name),
                          node,
                          node ? picture_.usage().without_ours(*node) : workload::NodeRoom()});
  }
  co_return exclusions(needs, candidates);
}

std::optional<std::string> claim_in_use(const Picture& picture,
                                        const kube::Pod& pod,
                                        const std::vector<std::string>& for_one_pod) {
  for (const std::string& name : for_one_pod) {
    const kube::ObjectKey claim{pod.metadata.namespace_, name};
    const auto user = picture.user_of(claim, pod.metadata.uid);
    if (!user) continue;
    return fmt::format("claim {} is for one pod at a time (ReadWriteOncePod), and pod {} has it",
                       claim.to_string(),
                       user->name);
  }
  return std::nullopt;
}

}  // namespace bridge
