// SPDX-License-Identifier: Apache-2.0
// The steps of the node syncer: one function per type, each one or two calls.
#include "base/nearest.h"
#include "base/quote.h"
#include "bridge/nodes/cordon.h"
#include "bridge/nodes/eviction.h"
#include "bridge/nodes/registration.h"
#include "bridge/nodes/syncer.h"
#include "bridge/nodes/writes.h"
#include "slurm/api/error_number.h"
#include "workload/wellknown.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace bridge::nodes {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using slurm::SlurmNodeName;

constexpr std::size_t kPodsNamed = 10;  // in one Event

std::string names_of(const std::vector<std::string>& pods) {
  const std::size_t shown = std::min(pods.size(), kPodsNamed);
  const std::string more = pods.size() > shown ? ", ..." : "";
  return fmt::format("{}{}", fmt::join(pods.begin(), pods.begin() + shown, ", "), more);
}

// Slurm's message does not name the unknown topology.
Error explained(const Error& error, const std::string& topology) {
  if (error.code() != slurm::kNoSuchTopology) return error;
  return Error(Kind::refused,
               fmt::format("annotation {}: Slurm has no place {}; name a topology of its "
                           "topology.yaml and a switch or block of that, as in topo-switch:s2",
                           workload::kTopologySpec,
                           base::quoted(topology)))
      .with_code(error.code());
}

}  // namespace

NodeSyncer::Outcome NodeSyncer::execute(Target target, NodeStep step) {
  return std::visit([&](auto& one) { return execute_one(std::move(target), std::move(one)); },
                    step);
}

NodeSyncer::Outcome NodeSyncer::execute_one(Target target, RegisterNode step) {
  const SlurmNodeName name = step.wanted.node.name;
  CO_TRY_VOID(co_await check_partitions(step.wanted.node.features));
  const auto made = co_await context_.slurm.create_node(step.wanted.node,
                                                        context_.loop.in(runtime::kCallTimeout));
  if (!made.ok()) co_return explained(made.error(), step.wanted.node.topology);
  made_.insert_or_assign(name, context_.loop.now());
  nodes_.hurry();
  note(target.node, "RegisteredInSlurm", fmt::format("Registered as {} in Slurm", name));
  // If this fails, the next run finds a node without a mark and sets the mark.
  co_return co_await change(name, slurm::SetComment{mark_text(step.wanted.mark)});
}

NodeSyncer::Outcome NodeSyncer::execute_one(Target target, MarkNode step) {
  co_return co_await change(target.name, slurm::SetComment{mark_text(step.mark)});
}

NodeSyncer::Outcome NodeSyncer::execute_one(Target target, ChangeFeatures step) {
  CO_TRY_VOID(co_await check_partitions(step.features));
  co_return co_await change(target.name, slurm::SetFeatures{step.features});
}

NodeSyncer::Outcome NodeSyncer::execute_one(Target target, ChangeTopology step) {
  const auto outcome = co_await change(target.name, slurm::SetTopology{step.topology});
  if (!outcome.ok()) co_return explained(outcome.error(), step.topology);
  co_return outcome;
}

NodeSyncer::Outcome NodeSyncer::execute_one(Target target, DrainNode step) {
  CO_TRY_VOID(co_await change(target.name, slurm::Drain{step.reason}));
  // One drain is enough: an administrator may use a node that Kubernetes no longer has.
  deleted_.erase(target.name);
  note(target.node,
       "DrainedInSlurm",
       fmt::format("Drained {} in Slurm: {}", target.name, step.reason));
  co_return Result<void>();
}

NodeSyncer::Outcome NodeSyncer::execute_one(Target target, UndrainNode) {
  CO_TRY_VOID(co_await change(target.name, slurm::Undrain{}));
  note(target.node, "UndrainedInSlurm", fmt::format("Slurm may use {} again", target.name));
  co_return Result<void>();
}

NodeSyncer::Outcome NodeSyncer::execute_one(Target target, RemoveNode) {
  CO_TRY_VOID(
      co_await context_.slurm.delete_node(target.name, context_.loop.in(runtime::kCallTimeout)));
  nodes_.hurry();
  note(target.node,
       "RemovedFromSlurm",
       fmt::format("Removed the idle node {} from Slurm", target.name));
  co_return Result<void>();
}

NodeSyncer::Outcome NodeSyncer::execute_one(Target target, Cordon step) {
  CO_TRY_VOID(
      co_await patch(target.node, kube::PatchType::merge, cordon_patch(*target.node, step.reason)));
  note(target.node,
       "CordonedForSlurm",
       fmt::format("Slurm does not use {}: {}",
                   target.name,
                   step.reason.empty() ? "no reason given" : step.reason));
  co_return Result<void>();
}

NodeSyncer::Outcome NodeSyncer::execute_one(Target target, Uncordon) {
  CO_TRY_VOID(co_await patch(target.node, kube::PatchType::merge, uncordon_patch(*target.node)));
  note(target.node, "UncordonedForSlurm", fmt::format("Slurm uses {} again", target.name));
  co_return Result<void>();
}

NodeSyncer::Outcome NodeSyncer::execute_one(Target target, NoteLifted step) {
  co_return co_await patch(
      target.node, kube::PatchType::merge, note_lifted_patch(*target.node, step.reason));
}

NodeSyncer::Outcome NodeSyncer::execute_one(Target target, ForgetCordon) {
  co_return co_await patch(target.node, kube::PatchType::merge, forget_cordon_patch(*target.node));
}

// Pods on the node that do not tolerate the taint are reported first: a NoExecute taint ends them.
NodeSyncer::Outcome NodeSyncer::execute_one(Target target, AddTaint) {
  const kube::Taint taint = managed_taint(context_.scheduler_name);
  const kube::Node& node = *target.node;
  CO_TRY(const std::vector<std::string> evicted,
         co_await evicted_pods(context_.api<kube::Pod>(), node.name(), taint));
  if (!evicted.empty()) {
    const std::string message = fmt::format(
        "The taint {} evicts {} pods that do not tolerate it: {}; nodes.taint: false "
        "in the configuration keeps the taint off",
        taint.key,
        evicted.size(),
        names_of(evicted));
    context_.log.warn(message, {{"node", node.metadata.name}});
    context_.events.record({subject(node), kube::Severity::warning, "EvictedForSlurm", message});
  }
  co_return co_await patch(target.node, kube::PatchType::json, add_taint_patch(node, taint));
}

NodeSyncer::Outcome NodeSyncer::execute_one(Target target, RemoveTaint) {
  co_return co_await patch(
      target.node,
      kube::PatchType::json,
      remove_taint_patch(*target.node, managed_taint(context_.scheduler_name)));
}

// Reported before any step is executed (publish_reports).
NodeSyncer::Outcome NodeSyncer::execute_one(Target, Report) {
  co_return Result<void>();
}

NodeSyncer::Outcome NodeSyncer::change(SlurmNodeName name, slurm::NodeChange change) {
  CO_TRY_VOID(co_await context_.slurm.change_node(
      name, std::move(change), context_.loop.in(runtime::kCallTimeout)));
  nodes_.hurry();
  co_return Result<void>();
}

NodeSyncer::Outcome NodeSyncer::check_partitions(std::vector<std::string> wanted) {
  if (wanted.empty()) co_return Result<void>();
  CO_TRY(const auto partitions,
         co_await context_.slurm.partitions(context_.loop.in(runtime::kCallTimeout)));
  std::vector<std::string_view> known;
  for (const slurm::Partition& partition : partitions) known.push_back(partition.name);
  for (const std::string& name : wanted) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const auto close = base::nearest(name, known);
    co_return Error(Kind::invalid,
                    fmt::format("annotation {}: Slurm has no partition {}{}",
                                workload::kExternalNodePartitions,
                                base::quoted(name),
                                close ? fmt::format("; did you mean {}?", *close) : ""));
  }
  co_return Result<void>();
}

NodeSyncer::Outcome NodeSyncer::patch(Pointer node, kube::PatchType type, json::Value body) {
  CO_TRY(kube::Node now,
         co_await context_.api<kube::Node>().patch(
             node->metadata.key(), type, std::move(body), node_write_options()));
  cluster_.nodes().written(std::move(now));
  co_return Result<void>();
}

}  // namespace bridge::nodes
