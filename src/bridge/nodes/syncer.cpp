// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/syncer.h"

#include "bridge/nodes/step_text.h"
#include "bridge/nodes/timing.h"
#include "bridge/nodes/writes.h"

#include <fmt/format.h>

#include <algorithm>

namespace bridge::nodes {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using kube::Requeue;
using slurm::SlurmNodeName;
using namespace std::chrono_literals;

}  // namespace

NodeSyncer::NodeSyncer(runtime::RoleContext context,
                       state::ClusterState& cluster,
                       std::size_t workers)
    : context_(std::move(context)),
      cluster_(cluster),
      nodes_(cluster.slurm_nodes()),
      slices_(context_.loop, context_.kube, context_.log),
      queue_(context_.loop, context_.tasks, workers, [this](SlurmNodeName name) {
        return reconcile(std::move(name));
      }) {}

void NodeSyncer::start() {
  cluster_.nodes().on_change([this](const kube::ObjectKey& key,
                                    const Pointer& before,
                                    const Pointer& after) { node_changed(key, before, after); });
  nodes_.on_change([this](const SlurmNodeName& name) { queue_.add(name); });
  nodes_.on_answer([this, first = true]() mutable {
    // Before the first answer it was not known which nodes Slurm does not have.
    if (std::exchange(first, false)) look_at_all();
    forget_deleted();
  });
  cluster_.mirror().on_recovery([this] { queue_.retry_failed(); });
  slices_.on_change([this](const kube::NodeName& name) {
    const auto node = cluster_.nodes().find({"", name.value()});
    if (node && asks_for_registration(*node)) queue_.add(marks::slurm_name(*node));
  });
  slices_.on_known([this] { look_at_all(); });
  context_.tasks.spawn("resource slices", slices_.run());
}

void NodeSyncer::look_at_all() {
  for (const auto& [key, node] : cluster_.nodes().objects()) queue_.add(marks::slurm_name(*node));
}

void NodeSyncer::forget_deleted() {
  const auto wait = nodes_.names().empty() ? base::Duration(kEmptyForGood) : base::Duration(0);
  std::erase_if(deleted_, [&](const auto& entry) {
    const auto& [name, deleted] = entry;
    return deleted.at + wait < nodes_.as_of() && nodes_.find(name) == nullptr;
  });
}

void NodeSyncer::node_changed(const kube::ObjectKey& key,
                              const Pointer& before,
                              const Pointer& after) {
  const kube::NodeName node(key.name);
  if (!after || !after->ready()) {
    ready_since_.erase(node);
  } else {
    ready_since_.try_emplace(node, context_.loop.now());
  }
  if (after && asks_for_registration(*after)) slices_.want();
  if (after) deleted_.erase(marks::slurm_name(*after));
  const bool unreadable = cluster_.nodes().undecodable().contains(key);
  const bool left = before && (!after || marks::slurm_name(*before) != marks::slurm_name(*after));
  if (left && !unreadable)
    deleted_.insert_or_assign(marks::slurm_name(*before), Deleted{node, context_.loop.now()});
  if (before) queue_.add(marks::slurm_name(*before));
  if (after) queue_.add(marks::slurm_name(*after));
}

NodeSyncer::DesiredNode NodeSyncer::desired_state(const SlurmNodeName& name) {
  const auto& claims = cluster_.names().kubernetes_names(name);
  if (claims.size() > 1) {
    const std::string message = fmt::format(
        "several Kubernetes nodes claim Slurm's node {}: {}", name, fmt::join(claims, ", "));
    if (reported_[name].insert(message).second) {
      for (const kube::NodeName& claim : claims)
        note(cluster_.nodes().find({"", claim.value()}), "SlurmNodeTaken", message);
    }
    return {nullptr, false};
  }
  const std::string key = claims.empty() ? name.value() : claims.begin()->value();
  if (cluster_.nodes().undecodable().contains({"", key})) return {nullptr, false};
  return {cluster_.nodes().find({"", key}), true};
}

NodeFacts NodeSyncer::facts_of(const SlurmNodeName& name, const kube::Node* node) const {
  NodeFacts facts;
  facts.name = name;
  facts.kube = node;
  facts.slurm = nodes_.find(name);
  facts.cluster = cluster_.bridge().cluster;
  facts.scheduler_name = context_.scheduler_name;
  facts.options = context_.live.nodes;
  if (const auto gone = deleted_.find(name); gone != deleted_.end() && node == nullptr)
    facts.was_named = gone->second.node.value();
  if (node != nullptr) {
    const auto since = ready_since_.find(node->name());
    if (since != ready_since_.end()) facts.ready_for = context_.loop.now() - since->second;
    facts.devices = slices_.of(node->name());
  }
  return facts;
}

net::Task<Requeue> NodeSyncer::reconcile(SlurmNodeName name) {
  if (!cluster_.nodes().synced() || !nodes_.synced() || !context_.may_act())
    co_return Requeue::on_change();
  if (const auto made = made_.find(name); made != made_.end()) {
    // Slurm's list may be older than the node: absence from it proves nothing.
    if (nodes_.as_of() <= made->second) co_return Requeue::after(kVerifyAfter);
    made_.erase(made);
  }
  if (const auto refusal = refused_.find(name);
      refusal != refused_.end() && refusal->second.until <= context_.loop.now())
    refused_.erase(refusal);
  DesiredNode desired = desired_state(name);
  // A Slurm without any node is new, or not the Slurm that we know.
  const bool doubtful =
      nodes_.names().empty() && (!desired.node || !asks_for_registration(*desired.node));
  if (!desired.clear || doubtful) co_return Requeue::on_change();

  NodeSteps next = next_node_steps(facts_of(name, desired.node.get()));
  publish_reports(name, desired.node, next);
  bool fresh = true;
  const bool read = std::ranges::any_of(next.steps, changes_slurm_node);
  if (read) {
    if (desired.node) fresh = (co_await look_at(desired.node)).ok();
    const auto now = co_await context_.slurm.node(name, context_.loop.in(runtime::kCallTimeout));
    if (!now.ok()) co_return failed(name, desired.node, next.steps.front(), now.error());
    desired = desired_state(name);
    if (!desired.clear) co_return Requeue::on_change();
    NodeFacts facts = facts_of(name, desired.node.get());
    facts.slurm = &*now;
    next = next_node_steps(facts);
  }
  bool done = false;
  for (NodeStep& step : next.steps) {
    if (std::holds_alternative<Report>(step) || was_refused(name, step_text(step))) continue;
    if (!context_.may_act()) co_return Requeue::on_change();
    if (!fresh && !std::holds_alternative<DrainNode>(step)) co_return Requeue::after_backoff();
    const auto outcome = co_await execute({name, desired.node}, step);
    if (!outcome.ok()) co_return failed(name, desired.node, step, outcome.error());
    context_.steps.done(step_name(step));
    done = true;
    if (!asks_slurm(step)) break;  // the Kubernetes node has a new version now
  }
  if (done) co_return Requeue::after(kVerifyAfter);
  if (const auto refusal = refused_.find(name); refusal != refused_.end())
    co_return Requeue::after(refusal->second.until - context_.loop.now());
  // The read showed that no step is needed. The node may have changed twice between two polls, so
  // that no change is reported.
  if (read) co_return Requeue::after(kVerifyAfter);
  if (next.look_again) co_return Requeue::after(*next.look_again);
  co_return Requeue::on_change();
}

NodeSyncer::Outcome NodeSyncer::look_at(Pointer node) {
  CO_TRY(kube::Node now,
         co_await context_.api<kube::Node>().within(kReadNodeTimeout).get(node->metadata.key()));
  cluster_.nodes().read(std::move(now));
  co_return Result<void>();
}

void NodeSyncer::publish_reports(const SlurmNodeName& name,
                                 const Pointer& node,
                                 const NodeSteps& steps) {
  std::set<std::string> current;
  for (const NodeStep& step : steps.steps) {
    const auto* report = std::get_if<Report>(&step);
    if (report == nullptr) continue;
    current.insert(report->message);
    if (reported_[name].contains(report->message)) continue;
    context_.log.warn("node needs attention", {{"node", name}, {"what", report->message}});
    if (node)
      context_.events.record({subject(*node), report->severity, report->reason, report->message});
  }
  current.empty() ? (void)reported_.erase(name) : (void)(reported_[name] = std::move(current));
}

void NodeSyncer::note(const Pointer& node, std::string reason, std::string message) {
  context_.log.info(message);
  if (!node) return;
  context_.events.record(
      {subject(*node), kube::Severity::normal, std::move(reason), std::move(message)});
}

// --- failures ---

bool NodeSyncer::was_refused(const SlurmNodeName& name, const std::string& asked) const {
  const auto found = refused_.find(name);
  return found != refused_.end() && found->second.asked == asked;
}

Requeue NodeSyncer::failed(const SlurmNodeName& name,
                           const Pointer& node,
                           const NodeStep& step,
                           const Error& error) {
  if (error.is(Kind::cancelled)) return Requeue::on_change();
  const Requeue again =
      step_failed(context_, step_name(step), runtime::StepObject{"node", name.value()}, error);
  const bool refused = asks_slurm(step) && (error.is(Kind::refused) || error.is(Kind::invalid) ||
                                            error.is(Kind::forbidden));
  if (!refused) return again;
  refused_.insert_or_assign(name, Refusal{step_text(step), context_.loop.in(kRefusedFor)});
  if (node) {
    context_.events.record(
        {subject(*node), kube::Severity::warning, "RefusedBySlurm", error.message()});
  }
  return Requeue::after(kRefusedFor);
}

}  // namespace bridge::nodes
