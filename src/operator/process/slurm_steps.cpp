// SPDX-License-Identifier: Apache-2.0
#include "operator/process/slurm_steps.h"

#include "base/overloaded.h"

#include <fmt/format.h>

#include <chrono>

namespace slurmop::process {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using slurm::SlurmNodeName;
using workers::SlurmStep;

constexpr auto kCallTime = std::chrono::seconds(10);

const slurm::Node* find(const std::map<std::string, slurm::Node>& nodes, const std::string& name) {
  const auto found = nodes.find(name);
  return found == nodes.end() ? nullptr : &found->second;
}

bool decides_the_same(const slurm::Node& a, const slurm::Node& b) {
  return a.reason == b.reason && a.draining() == b.draining() && a.down() == b.down() &&
         a.busy() == b.busy();
}

const std::string& node_of(const SlurmStep& step) {
  return std::visit([](const auto& one) -> const std::string& { return one.node; }, step);
}

net::Task<Result<void>> execute(net::Loop& loop, slurm::Client& client, SlurmStep step) {
  const SlurmNodeName node(node_of(step));
  const base::Instant deadline = loop.in(kCallTime);
  if (std::holds_alternative<workers::RemoveNode>(step))
    co_return co_await client.delete_node(node, deadline);
  slurm::NodeChange change = std::visit(
      base::Overloaded{
          [](const workers::DrainNode& one) -> slurm::NodeChange {
            return slurm::Drain{one.reason};
          },
          [](const workers::UndrainNode&) -> slurm::NodeChange { return slurm::Undrain{}; },
          [](const workers::DownNode& one) -> slurm::NodeChange { return slurm::Down{one.reason}; },
          [](const auto&) -> slurm::NodeChange { return slurm::Resume{}; }},
      step);
  co_return co_await client.change_node(node, std::move(change), deadline);
}

// Slurm refuses to resume a node that is up, and to delete a node that does not exist.
bool is_done_already(const SlurmStep& step, const Error& error) {
  return (std::holds_alternative<workers::ResumeNode>(step) && error.is(Kind::conflict)) ||
         (std::holds_alternative<workers::RemoveNode>(step) && error.is(Kind::not_found));
}

}  // namespace

Result<void> check_unchanged(const std::string& name, const NodesBeforeSteps& nodes) {
  const slurm::Node* planned = find(nodes.planned, name);
  const slurm::Node* now = find(nodes.now, name);
  const bool is_same =
      planned == nullptr || now == nullptr ? planned == now : decides_the_same(*planned, *now);
  if (is_same) return {};
  return Error(Kind::conflict, fmt::format("Slurm node {} changed since the decision", name));
}

net::Task<Result<NodesBeforeSteps>> read_again(net::Loop& loop,
                                               slurm::Client& client,
                                               const workers::SlurmView& planned) {
  const auto* known = std::get_if<workers::SlurmKnown>(&planned);
  if (known == nullptr)
    co_return Error(Kind::internal, "steps in Slurm were planned although its state is unknown");
  NodesBeforeSteps nodes{known->nodes, {}};
  CO_TRY(slurm::NodeList list, co_await client.nodes(loop.in(kCallTime)));
  for (slurm::Node& node : list.nodes) {
    std::string name = node.name.value();
    nodes.now.emplace(std::move(name), std::move(node));
  }
  co_return nodes;
}

net::Task<Result<void>> execute_steps(net::Loop& loop,
                                      slurm::Client& client,
                                      const std::vector<SlurmStep>& steps,
                                      const NodesBeforeSteps& nodes) {
  for (const SlurmStep& step : steps) {
    CO_TRY_VOID(check_unchanged(node_of(step), nodes));
    const auto done = co_await execute(loop, client, step);
    if (!done.ok() && !is_done_already(step, done.error()))
      co_return base::Error(done.error()).in(describe(step));
  }
  co_return Result<void>();
}

std::string describe(const SlurmStep& step) {
  const std::string_view verb =
      std::visit(base::Overloaded{[](const workers::DrainNode&) { return "drain"; },
                                  [](const workers::UndrainNode&) { return "undrain"; },
                                  [](const workers::DownNode&) { return "set down"; },
                                  [](const workers::ResumeNode&) { return "resume"; },
                                  [](const workers::RemoveNode&) { return "remove"; }},
                 step);
  return fmt::format("{} Slurm node {}", verb, node_of(step));
}

}  // namespace slurmop::process
