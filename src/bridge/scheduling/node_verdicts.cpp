// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/node_verdicts.h"

#include "bridge/scheduling/exclusions.h"
#include "bridge/scheduling/timing.h"
#include "net/async/loop.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace bridge::scheduling {
namespace {

using base::Result;
using namespace std::chrono_literals;

// Maximum number of stored verdicts without waiting pods.
constexpr std::size_t kMostVerdicts = 1024;

NodeVerdict verdict_of(Exclusions out) {
  NodeVerdict verdict;
  verdict.fits_none = out.none_left();
  if (verdict.fits_none) {
    verdict.why = out.text();
  } else {
    verdict.excluded = std::move(out.nodes);
  }
  return verdict;
}

Exclusions exclusions_of(state::ClusterState& cluster,
                         const PlacementRequest& request,
                         std::span<const slurm::SlurmNodeName> names) {
  std::vector<std::shared_ptr<const kube::Node>> kept;  // candidates refer to these nodes
  std::vector<Candidate> candidates;
  for (const slurm::SlurmNodeName& name : names) {
    const slurm::Node* in_slurm = cluster.slurm_nodes().find(name);
    if (in_slurm == nullptr) continue;  // removed from Slurm during the evaluation
    kept.push_back(cluster.kubernetes_node(name));
    const kube::Node* node = kept.back().get();
    candidates.push_back(
        {*in_slurm, node, node ? cluster.usage().without_ours(*node) : workload::NodeRoom()});
  }
  return exclusions({*request.pod, request.partition, request.volumes, request.avoid}, candidates);
}

}  // namespace

NodeVerdicts::NodeVerdicts(net::Loop& loop, state::ClusterState& cluster)
    : loop_(loop), cluster_(cluster), nodes_changed_(loop) {
  cluster_.on_node_generation([this] {
    if (!waits_.empty()) nodes_changed_.notify();
  });
}

net::Task<Result<NodeVerdicts::Verdict>> NodeVerdicts::of(PlacementRequest request) {
  const kube::ObjectKey pod = request.pod->metadata.key();
  const PlacementKey key = placement_key(request);
  CO_TRY(Verdict verdict, co_await current(key, std::move(request)));
  verdict->fits_none ? remember(pod, key) : forget(pod);
  co_return verdict;
}

net::Task<Result<NodeVerdicts::Verdict>> NodeVerdicts::current(PlacementKey key,
                                                               PlacementRequest request) {
  const std::uint64_t wanted = cluster_.node_generation();
  for (;;) {
    const auto known = entries_.find(key);
    if (known != entries_.end() && known->second.generation >= wanted)
      co_return known->second.verdict;
    const auto other = under_way_.find(key);
    if (other == under_way_.end()) co_return co_await evaluate(key, std::move(request));
    const std::shared_ptr<net::Signal> ended = other->second;
    CO_TRY([[maybe_unused]] const bool notified, co_await ended->wait());
  }
}

net::Task<Result<NodeVerdicts::Verdict>> NodeVerdicts::evaluate(PlacementKey key,
                                                                PlacementRequest request) {
  const auto ended = std::make_shared<net::Signal>(loop_);
  under_way_.emplace(key, ended);
  const std::uint64_t generation = cluster_.node_generation();
  auto evaluated = co_await evaluate_nodes(request);
  under_way_.erase(key);
  ended->notify();
  if (!evaluated.ok()) co_return evaluated.error();
  make_room();
  Entry& entry = entries_[key];
  entry.request = std::move(request);
  entry.verdict = std::make_shared<const NodeVerdict>(*std::move(evaluated));
  entry.generation = generation;
  co_return entry.verdict;
}

net::Task<Result<NodeVerdict>> NodeVerdicts::evaluate_nodes(PlacementRequest request) {
  ++evaluations_;
  const std::set<slurm::SlurmNodeName>& known = cluster_.slurm_nodes().names();
  const std::vector<slurm::SlurmNodeName> names(known.begin(), known.end());
  const std::span<const slurm::SlurmNodeName> all = names;
  Exclusions out;
  for (std::size_t from = 0; from < all.size(); from += kNodesAtOnce) {
    if (from > 0) CO_TRY_VOID(co_await loop_.sleep_for({}));
    out.add(exclusions_of(
        cluster_, request, all.subspan(from, std::min(kNodesAtOnce, all.size() - from))));
  }
  co_return verdict_of(std::move(out));
}

void NodeVerdicts::remember(const kube::ObjectKey& pod, const PlacementKey& key) {
  const auto [known, is_new] = waits_.try_emplace(pod, key);
  if (!is_new && known->second != key) {
    forget(pod);
    waits_.emplace(pod, key);
  }
  const auto entry = entries_.find(key);
  if (entry == entries_.end()) return;
  entry->second.waiting.insert(pod);
  if (entry->second.generation != cluster_.node_generation()) nodes_changed_.notify();
}

void NodeVerdicts::forget(const kube::ObjectKey& pod) {
  const auto waits = waits_.find(pod);
  if (waits == waits_.end()) return;
  if (const auto entry = entries_.find(waits->second); entry != entries_.end())
    entry->second.waiting.erase(pod);
  waits_.erase(waits);
}

void NodeVerdicts::make_room() {
  if (entries_.size() < kMostVerdicts + waits_.size()) return;
  std::erase_if(entries_, [](const auto& entry) { return entry.second.waiting.empty(); });
}

net::Task<void> NodeVerdicts::run() {
  while ((co_await nodes_changed_.wait()).ok()) {
    if (!(co_await loop_.sleep_for(kGatherChanges)).ok()) co_return;
    const auto evaluated = co_await look_again();
    if (!evaluated.ok()) co_return;
    if (!(co_await loop_.sleep_for(kPausePerNode * *evaluated)).ok()) co_return;
  }
}

// Returns the number of evaluated nodes.
net::Task<Result<std::size_t>> NodeVerdicts::look_again() {
  std::vector<PlacementKey> keys;
  for (const auto& [key, entry] : entries_) {
    if (!entry.waiting.empty()) keys.push_back(key);
  }
  std::size_t evaluated = 0;
  std::size_t since_others_ran = 0;
  for (const PlacementKey& key : keys) {
    const auto entry = entries_.find(key);
    if (entry == entries_.end() || entry->second.waiting.empty()) continue;
    CO_TRY(const Verdict verdict, co_await current(key, entry->second.request));
    if (!verdict->fits_none) report_fit(key);
    const std::size_t nodes = cluster_.slurm_nodes().names().size();
    evaluated += nodes;
    since_others_ran += nodes;
    if (since_others_ran < kNodesAtOnce) continue;
    since_others_ran = 0;
    CO_TRY_VOID(co_await loop_.sleep_for({}));
  }
  co_return evaluated;
}

void NodeVerdicts::report_fit(const PlacementKey& key) {
  const std::set<kube::ObjectKey> pods = std::exchange(entries_[key].waiting, {});
  for (const kube::ObjectKey& pod : pods) {
    waits_.erase(pod);
    if (on_fit_) on_fit_(pod);
  }
}

}  // namespace bridge::scheduling
