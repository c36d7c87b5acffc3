// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/chosen_node.h"

#include "workload/node_fit.h"
#include "workload/pod_resources.h"

namespace bridge::scheduling {

ChosenNodeCheck check_chosen_node(state::ClusterState& cluster,
                                  const kube::Pod& pod,
                                  const kube::NodeName& name) {
  const auto node = cluster.nodes().find({"", name.value()});
  const auto listed = workload::pod_requests(pod);
  if (!node || !listed.ok()) return {};
  const kube::Amounts requests(*listed);
  workload::NodeUsage& usage = cluster.usage();
  return {
      workload::never_fits(pod, requests, *node, usage.without_ours(*node)),
      workload::cannot_take_now(pod, requests, *node, usage.now(*node, pod.metadata.uid)),
  };
}

bool is_unfit(state::ClusterState& cluster,
              const kube::Pod& pod,
              const slurm::SlurmNodeName& name) {
  const auto node = cluster.kubernetes_node(name);
  const auto requests = workload::pod_requests(pod);
  if (!node || !requests.ok()) return true;
  const workload::NodeRoom room = cluster.usage().without_ours(*node);
  return workload::never_fits(pod, kube::Amounts(*requests), *node, room).has_value();
}

}  // namespace bridge::scheduling
