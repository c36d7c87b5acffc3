// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "net/loop.h"
#include "net/signal.h"
#include "net/task.h"
#include "net/task_group.h"
#include "slurm/client.h"
#include "slurm/mirror_state.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slurm {

// The one picture of Slurm in this process.
//
// Expects     that loop and client outlive it; run() as a task of a group; all calls on the loop's
//             thread.
// Guarantees  the number of calls per second depends on what starts and on what we are in a hurry
//             about, not on how many jobs wait. An error, a timeout or a restart changes no view:
//             only Slurm's own answer does, and an older answer never replaces a newer one. Nothing
//             is said of a job by a question that was asked before we followed it.
// Does not    submit or cancel; conclude that a job has gone: times_unknown is for the caller to
//             judge, together with what else he knows.
class Mirror {
 public:
  // Whether a job with this admin_comment is one of ours.
  using IsOurs = MirrorState::IsOurs;

  Mirror(net::Loop& loop, Client& client, MirrorOptions options, IsOurs is_ours);
  Mirror(const Mirror&) = delete;
  Mirror& operator=(const Mirror&) = delete;

  // Keeps the picture fresh until cancelled.
  net::Task<void> run();

  // Follows the job until forget().
  void track(JobId id);
  // The same, and nothing counts that was said of it before.
  void track_anew(JobId id);
  // We have just made this job: it is ours, followed, and in a hurry.
  void submitted(JobId id, std::string admin_comment);
  // We are done with it. A live job that carries our identity is found again by the next scan.
  void forget(JobId id);
  // Something was just changed in Slurm: look often for a while.
  void hurry();
  // Look through all of Slurm's jobs for ours, beginning no earlier than now.
  void request_scan();
  // A submit got no answer. That may have been a crash of slurmctld, and its job may have got the
  // id of one that was somebody else's: the next scan looks at the newest of those once more.
  void submit_was_lost() { state_.submit_was_lost(); }

  // nullptr: not followed. Valid until the next forget() or turn of the loop.
  const JobView* find(JobId id) const { return state_.find(id); }
  // Live jobs with our identity, those that we submitted and those that a scan found.
  const std::map<JobId, FoundJob>& ours() const { return state_.ours(); }
  // What a followed or found job says of itself, whatever its state and whoever made it; nullptr
  // while nobody has been told.
  const std::string* comment_of(JobId id) const { return state_.comment_of(id); }
  // What it said itself and when, not what we wrote into it; nullptr while it was not asked.
  const Claim* claim_of(JobId id) const { return state_.claim_of(id); }
  // Every job that was live in Slurm at this instant has been looked at: what is ours of them is,
  // or was, in ours(). Instant::min() before the first complete scan.
  base::Instant scanned_since() const { return state_.scanned_since(); }

  // How many answers there have been about many jobs at a time: with each, all views may be newer.
  std::uint64_t answers() const { return state_.answers(); }

  // The latest call was answered. False also before the first answer.
  bool healthy() const { return state_.health().healthy(); }
  // How many jobs are followed.
  std::size_t followed() const { return state_.followed(); }
  const std::optional<base::Error>& last_error() const { return state_.health().last_error(); }

  // Called after a view or an entry of ours() has changed or gone.
  void on_change(std::function<void(JobId)> call) { on_change_.push_back(std::move(call)); }
  // Called when Slurm does not answer any more: last_error() says why.
  void on_outage(std::function<void()> call) { on_outage_.push_back(std::move(call)); }
  // Called when Slurm answers for the first time, or again after it did not.
  void on_recovery(std::function<void()> call) { on_recovery_.push_back(std::move(call)); }
  // Called after scanned_since() has advanced.
  void on_scan(std::function<void()> call) { on_scan_.push_back(std::move(call)); }

 private:
  void start(net::TaskGroup& calls, MirrorState::Calls what);
  net::Task<void> ask_states(MirrorState::StatesCall call);
  net::Task<void> ask_all_states(Asked asked);
  net::Task<void> ask_placement(MirrorState::JobCall call);
  net::Task<void> ask_identity(MirrorState::JobCall call);
  net::Task<void> ask_claim(MirrorState::JobCall call);
  void tell(const MirrorState::Changes& changes);
  base::Instant deadline() const { return loop_.in(options_.call_timeout); }

  net::Loop& loop_;
  Client& client_;
  MirrorOptions options_;
  MirrorState state_;
  net::Signal wake_;
  std::vector<std::function<void(JobId)>> on_change_;
  std::vector<std::function<void()>> on_scan_;
  std::vector<std::function<void()>> on_outage_;
  std::vector<std::function<void()>> on_recovery_;
  bool was_healthy_ = false;
};

}  // namespace slurm
