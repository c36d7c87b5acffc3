// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/node_mirror.h"

#include <algorithm>
#include <utility>

namespace slurm::inline mirror {

NodeMirror::NodeMirror(net::Loop& loop,
                       Client& client,
                       NodeMirrorOptions options,
                       std::function<bool()> matters)
    : loop_(loop),
      client_(client),
      options_(options),
      matters_(std::move(matters)),
      health_(options.backoff, [&loop] { return loop.random(); }),
      wake_(loop) {}

void NodeMirror::hurry() {
  hurry_until_ = loop_.in(options_.hurry_for);
  wake_.notify();
}

const Node* NodeMirror::find(const SlurmNodeName& name) const {
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? nullptr : &found->second;
}

base::Duration NodeMirror::pause() const {
  if (loop_.now() < hurry_until_) return options_.hurried_interval;
  const bool stirred =
      changed_at_ != base::Instant::min() && loop_.now() < changed_at_ + options_.quiet_after;
  return stirred || matters_() ? options_.interval : options_.quiet_interval;
}

base::Instant NodeMirror::due() const {
  return std::max(cadence_.due(pause()), health_.pause_until());
}

net::Task<void> NodeMirror::run() {
  for (;;) {
    if (due() <= loop_.now()) co_await ask();
    const auto woken = co_await wake_.wait_until(due());
    if (!woken.ok()) co_return;
  }
}

net::Task<void> NodeMirror::ask() {
  const QueryStamp asked{++order_, loop_.now()};
  const bool whole =
      !synced() || last_update_ <= 0 || asked.at - whole_as_of_ >= options_.whole_list_after;
  cadence_.started(asked.at);
  auto answer =
      co_await client_.nodes_since(whole ? 0 : last_update_, loop_.in(options_.call_timeout));
  cadence_.ended(loop_.now(), answer.ok());
  if (!answer.ok()) {
    note_failure(answer.error());
    health_.failed(asked, order_, loop_.now(), std::move(answer).error());
    co_return;
  }
  note_answer();
  health_.answered(asked);
  as_of_ = asked.at;
  if (*answer) {
    whole_as_of_ = asked.at;
    take(std::move(**answer));
  }
  for (const auto& call : on_answer_) call();
}

void NodeMirror::note_failure(const base::Error& error) {
  if (error.is(base::Kind::cancelled)) return;
  if (!failing_since_) failing_since_ = loop_.now();
  if (outage_reported_ || loop_.now() < *failing_since_ + kReportAfter) return;
  outage_reported_ = true;
  if (on_outage_) on_outage_(error);
}

void NodeMirror::note_answer() {
  failing_since_.reset();
  if (std::exchange(outage_reported_, false) && on_recovery_) on_recovery_();
}

void NodeMirror::take(NodeList list) {
  std::map<SlurmNodeName, Node> before = std::exchange(nodes_, {});
  names_.clear();
  last_update_ = list.last_update;
  std::vector<SlurmNodeName> changed;
  for (Node& node : list.nodes) {
    const auto old = before.find(node.name);
    if (old == before.end() || old->second != node) changed.push_back(node.name);
    if (old != before.end()) before.erase(old);
    names_.insert(node.name);
    nodes_.insert_or_assign(node.name, std::move(node));
  }
  for (const auto& gone : before) changed.push_back(gone.first);
  if (!changed.empty()) changed_at_ = loop_.now();
  for (const SlurmNodeName& name : changed) {
    for (const auto& call : on_change_) call(name);
  }
}

}  // namespace slurm::inline mirror
