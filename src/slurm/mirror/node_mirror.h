// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "net/async/loop.h"
#include "net/async/signal.h"
#include "net/async/task.h"
#include "slurm/client/client.h"
#include "slurm/mirror/cadence.h"
#include "slurm/mirror/health.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace slurm::inline mirror {

struct NodeMirrorOptions {
  base::Duration hurried_interval = std::chrono::milliseconds(250);
  base::Duration hurry_for = std::chrono::seconds(3);
  base::Duration interval = std::chrono::seconds(2);  // while needed
  base::Duration quiet_interval = std::chrono::seconds(10);
  // How long the short interval applies after a change: changes often come in groups.
  base::Duration quiet_after = std::chrono::minutes(1);
  // A list of this age is requested in full, whatever Slurm's clock shows.
  base::Duration whole_list_after = std::chrono::minutes(5);
  base::BackoffPolicy backoff{std::chrono::milliseconds(500), std::chrono::seconds(10)};
  base::Duration call_timeout = std::chrono::seconds(10);
};

// The cache of Slurm's nodes, by name.
//
// Expects     loop and client outlive it; run() is a task of a group; all calls are on the loop's
//             thread.
// Guarantees  one call at a time, at a rate that depends neither on the number of nodes nor on the
//             callers; while nothing changes in Slurm, answers have no body. Only a full list
//             proves that a node does not exist; an error changes nothing.
// Does not    change nodes; know Kubernetes names. With API v0.0.43 no node shows EXTERNAL.
class NodeMirror {
 public:
  // `matters` is called before each pause: whether a caller acts on this cache.
  NodeMirror(net::Loop& loop,
             Client& client,
             NodeMirrorOptions options,
             std::function<bool()> matters);
  NodeMirror(const NodeMirror&) = delete;
  NodeMirror& operator=(const NodeMirror&) = delete;

  // Keeps the list current until cancelled.
  net::Task<void> run();
  // Something has just changed: poll in short intervals for a while, starting now.
  void hurry();

  // There was an answer: a node that is absent here does not exist in Slurm.
  bool synced() const { return as_of_ != base::Instant::min(); }
  // nullptr: Slurm has no such node, or synced() is false. Valid until the next turn of the loop.
  const Node* find(const SlurmNodeName& name) const;
  const std::set<SlurmNodeName>& names() const { return names_; }
  // The content was true at this instant or later. Instant::min() before the first answer.
  base::Instant as_of() const { return as_of_; }

  // The latest call was answered. False before the first answer.
  bool healthy() const { return health_.healthy(); }
  const std::optional<base::Error>& last_error() const { return health_.last_error(); }

  // Called after a node was added, changed or removed.
  void on_change(std::function<void(const SlurmNodeName&)> call) {
    on_change_.push_back(std::move(call));
  }
  // Called when polls have failed for kReportAfter, and at the first answer after that.
  static constexpr auto kReportAfter = std::chrono::seconds(10);
  void on_outage(std::function<void(const base::Error&)> call) { on_outage_ = std::move(call); }
  void on_recovery(std::function<void()> call) { on_recovery_ = std::move(call); }
  // Called after every answer, even if nothing changed: as_of() has advanced.
  void on_answer(std::function<void()> call) { on_answer_.push_back(std::move(call)); }

 private:
  net::Task<void> ask();
  void note_failure(const base::Error& error);
  void note_answer();
  void take(NodeList list);
  base::Instant due() const;
  base::Duration pause() const;

  net::Loop& loop_;
  Client& client_;
  NodeMirrorOptions options_;
  std::function<bool()> matters_;
  Health health_;
  Cadence cadence_;
  net::Signal wake_;
  std::uint64_t order_ = 0;
  std::map<SlurmNodeName, Node> nodes_;
  std::set<SlurmNodeName> names_;
  std::int64_t last_update_ = 0;  // by Slurm's clock: of the current list
  base::Instant as_of_ = base::Instant::min();
  base::Instant whole_as_of_ = base::Instant::min();
  base::Instant changed_at_ = base::Instant::min();
  base::Instant hurry_until_ = base::Instant::min();
  std::vector<std::function<void(const SlurmNodeName&)>> on_change_;
  std::vector<std::function<void()>> on_answer_;
  std::function<void(const base::Error&)> on_outage_;
  std::function<void()> on_recovery_;
  std::optional<base::Instant> failing_since_;
  bool outage_reported_ = false;
};

}  // namespace slurm::inline mirror
