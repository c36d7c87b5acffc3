// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/runtime/role_context.h"
#include "bridge/scheduling/request_shape.h"
#include "bridge/state/cluster_state.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace bridge::scheduling {

// Why Slurm makes jobs wait, in words: looked up job by job, the new ones first, then all of them
// round and round. Jobs of one kind share the first look, so that nobody waits for words because
// thousands of others wait too.
//
// Expects     run() as a task of a group that ends before it.
// Guarantees  a few calls a second at most, however many jobs wait, and none if none does; the
//             words change only when the reason does, or the expected start by much; words that
//             come from another job say so.
class WaitingReasons {
 public:
  WaitingReasons(runtime::RoleContext context, state::ClusterState& cluster);

  net::Task<void> run();

  // A pod waits under this job: its words, empty until Slurm has been asked.
  const std::string& of(slurm::JobId job, RequestShape kind);
  // Called when the words of a job have changed.
  void on_news(std::function<void(slurm::JobId)> call) { on_news_ = std::move(call); }
  // Called with every waiting job that was looked at; the next look waits for it.
  void on_look(std::function<net::Task<void>(slurm::Job)> call) { on_look_ = std::move(call); }

 private:
  struct Entry {
    base::Instant due;
    RequestShape kind;
    std::string reason;
    std::optional<base::WallTime> start;
    std::string words;
    bool shared = false;  // the words come from another job
  };
  // What Slurm said of a kind, and of which job.
  struct KindEntry {
    std::set<slurm::JobId> jobs;
    slurm::JobId said_of;
    base::Instant said_at;
    std::string reason;  // empty: nothing yet that holds for all of them
  };

  using Turns = std::set<std::pair<base::Instant, slurm::JobId>>;

  std::optional<slurm::JobId> next();
  std::optional<slurm::JobId> next_of(const Turns& turns);
  net::Task<void> look(slurm::JobId job);
  void take_turn(slurm::JobId job, Entry& entry, base::Instant due);
  void leave_turns(slurm::JobId job, const Entry& entry);
  // Gives a job of which Slurm has said nothing the words of its kind. Whether there were any.
  bool share(slurm::JobId job, Entry& entry, const KindEntry& kind);
  void drop(slurm::JobId job);

  runtime::RoleContext context_;
  state::ClusterState& cluster_;
  std::map<slurm::JobId, Entry> entries_;
  std::map<RequestShape, KindEntry> kinds_;
  // Jobs without words come before all others, and first those that this process made: the others
  // may be thousands after a restart, and the words of the process before us stand on their pods.
  Turns first_;
  Turns inherited_unexplained_;
  Turns again_;
  std::function<void(slurm::JobId)> on_news_;
  std::function<net::Task<void>(slurm::Job)> on_look_;
};

// "Priority (jobs with a higher priority come first); expected to start about 2026-11-16T14:05Z, as
// of 2026-11-16T13:58Z": what Slurm says of a waiting job at a moment.
std::string waiting_words(const slurm::Job& job, base::WallTime now);
// "Priority (jobs with a higher priority come first), as Slurm says of job 12, which asks for the
// same".
std::string shared_waiting_words(std::string_view reason, slurm::JobId said_of);

}  // namespace bridge::scheduling
