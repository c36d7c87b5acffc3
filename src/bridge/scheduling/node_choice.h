// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/scheduling/node_verdicts.h"
#include "bridge/scheduling/volumes.h"
#include "bridge/state/cluster_state.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace bridge::scheduling {

// Which of Slurm's nodes a pod's job must leave out, by what is known of them at this moment.
class NodeChoice {
 public:
  NodeChoice(net::Loop& loop, state::ClusterState& cluster, VolumeReader& volumes)
      : cluster_(cluster), volumes_(volumes), verdicts_(loop, cluster) {}

  // Nothing can be said before this.
  bool ready() const { return cluster_.slurm_nodes().synced(); }

  // `avoid`: was tried and could not take the pod. Errors: those of VolumeReader::of(), and
  // unavailable while another pod has a claim that one pod at a time may use.
  net::Task<base::Result<NodeVerdicts::Verdict>> of(std::shared_ptr<const kube::Pod> pod,
                                                    std::string partition,
                                                    std::set<slurm::SlurmNodeName> avoid);
  // Evaluates again, after changes of the nodes, for pods that fit none; has a task of its own.
  NodeVerdicts& verdicts() { return verdicts_; }

 private:
  state::ClusterState& cluster_;
  VolumeReader& volumes_;
  NodeVerdicts verdicts_;
};

// Says which other pod has one of these claims of the pod's, which one pod at a time may use.
std::optional<std::string> claim_in_use(const state::ClusterState& cluster,
                                        const kube::Pod& pod,
                                        const std::vector<std::string>& for_one_pod);

}  // namespace bridge::scheduling
