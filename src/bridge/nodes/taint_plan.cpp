// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/taint_plan.h"

#include "bridge/marks/node_names.h"
#include "bridge/nodes/eviction.h"
#include "bridge/nodes/sync.h"
#include "kube/client/api.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace bridge::nodes {
namespace {

using base::Result;

}  // namespace

std::vector<std::string> nodes_to_taint(const std::vector<kube::Node>& nodes,
                                        const std::vector<slurm::Node>& slurm_nodes,
                                        const std::string& scheduler_name) {
  std::set<slurm::SlurmNodeName> known;
  for (const slurm::Node& node : slurm_nodes) known.insert(node.name);
  const kube::Taint taint = managed_taint(scheduler_name);
  std::vector<std::string> names;
  for (const kube::Node& node : nodes) {
    const bool has_it = std::ranges::find(node.spec.taints, taint) != node.spec.taints.end();
    if (!has_it && known.contains(marks::slurm_name(node))) names.push_back(node.metadata.name);
  }
  return names;
}

net::Task<Result<std::string>> taint_plan(kube::Access kube,
                                          slurm::Client& slurm,
                                          std::string scheduler_name,
                                          base::Instant deadline) {
  const kube::Taint taint = managed_taint(scheduler_name);
  const auto nodes = kube::Api<kube::Node>(kube).until(deadline);
  const auto pods = kube::Api<kube::Pod>(kube).until(deadline);
  CO_TRY(const std::vector<kube::Node> list, co_await nodes.list({.page_size = 0}));
  CO_TRY(const slurm::NodeList known, co_await slurm.nodes(deadline));
  const std::vector<std::string> names = nodes_to_taint(list, known.nodes, scheduler_name);
  std::string text = fmt::format("{} nodes would get the taint {}={}:{}\n",
                                 names.size(),
                                 taint.key,
                                 taint.value,
                                 taint.effect);
  for (const std::string& name : names) {
    CO_TRY(const std::vector<std::string> evicted,
           co_await evicted_pods(pods, kube::NodeName(name), taint));
    fmt::format_to(std::back_inserter(text),
                   "{}: {}{}\n",
                   name,
                   evicted.empty() ? "evicts no pod" : "evicts ",
                   fmt::join(evicted, ", "));
  }
  co_return text;
}

}  // namespace bridge::nodes
