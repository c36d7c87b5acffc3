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

// Returns the nodes that a pod's job must exclude, from the volumes of the pod and the current
// cluster state.
class NodeChoice {
 public:
  NodeChoice(net::Loop& loop, state::ClusterState& cluster, VolumeReader& volumes)
      : cluster_(cluster), volumes_(volumes), verdicts_(loop, cluster) {}

  // Whether Slurm's nodes are known. of() requires it.
  bool ready() const { return cluster_.slurm_nodes().synced(); }

  // `avoid`: nodes that could not run the pod. Errors: those of VolumeReader::of() and
  // NodeVerdicts::of(), and unavailable while another pod uses a claim with ReadWriteOncePod.
  net::Task<base::Result<NodeVerdicts::Verdict>> of(std::shared_ptr<const kube::Pod> pod,
                                                    std::string partition,
                                                    std::set<slurm::SlurmNodeName> avoid);
  // The caller runs NodeVerdicts::run() in a task.
  NodeVerdicts& verdicts() { return verdicts_; }

 private:
  state::ClusterState& cluster_;
  VolumeReader& volumes_;
  NodeVerdicts verdicts_;
};

// Returns a message with the other pod that uses one of `for_one_pod`, the pod's claims with
// ReadWriteOncePod. Empty if no other pod does.
std::optional<std::string> claim_in_use(const state::ClusterState& cluster,
                                        const kube::Pod& pod,
                                        const std::vector<std::string>& for_one_pod);

}  // namespace bridge::scheduling
