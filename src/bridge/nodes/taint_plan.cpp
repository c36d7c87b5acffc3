// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/taint_plan.h"

#include "bridge/marks/node_names.h"
#include "bridge/nodes/eviction.h"
#include "bridge/nodes/sync.h"
#include "kube/client/request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace bridge::nodes {
namespace {

using base::Error;
using base::Kind;
using base::Result;

}  // namespace

Result<std::vector<std::string>> nodes_to_taint(std::string_view node_list,
                                                const std::vector<slurm::Node>& slurm_nodes,
                                                const std::string& scheduler_name) {
  json::Parser parser;
  TRY(const json::Node root, parser.parse(node_list));
  const auto items = root.find("items");
  if (!items) return Error(Kind::protocol, "an answer without a list of nodes");
  std::set<slurm::SlurmNodeName> known;
  for (const slurm::Node& node : slurm_nodes) known.insert(node.name);
  const kube::Taint taint = managed_taint(scheduler_name);
  std::vector<std::string> names;
  std::optional<Error> failure;
  items->each_element([&](json::Node item) {
    const auto node = kube::decode_object<kube::Node>(item);
    if (!node.ok()) {
      failure = node.error();
      return false;
    }
    const bool has_it = std::ranges::find(node->spec.taints, taint) != node->spec.taints.end();
    if (!has_it && known.contains(marks::slurm_name(*node))) names.push_back(node->metadata.name);
    return true;
  });
  if (failure) return *std::move(failure);
  return names;
}

net::Task<Result<std::string>> taint_plan(kube::Client& kube,
                                          slurm::Client& slurm,
                                          std::string scheduler_name,
                                          base::Instant deadline) {
  const kube::Taint taint = managed_taint(scheduler_name);
  const kube::Selection nodes{kube::kNodes, "", "", ""};
  CO_TRY(const std::string list, co_await kube.get(kube::list_path(nodes, 0, ""), deadline));
  CO_TRY(const slurm::NodeList known, co_await slurm.nodes(deadline));
  CO_TRY(const auto names, nodes_to_taint(list, known.nodes, scheduler_name));
  std::string text = fmt::format("{} nodes would get the taint {}={}:{}\n",
                                 names.size(),
                                 taint.key,
                                 taint.value,
                                 taint.effect);
  for (const std::string& name : names) {
    CO_TRY(const std::vector<std::string> evicted,
           co_await evicted_pods(kube, kube::NodeName(name), taint, deadline));
    fmt::format_to(std::back_inserter(text),
                   "{}: {}{}\n",
                   name,
                   evicted.empty() ? "evicts no pod" : "evicts ",
                   fmt::join(evicted, ", "));
  }
  co_return text;
}

}  // namespace bridge::nodes
