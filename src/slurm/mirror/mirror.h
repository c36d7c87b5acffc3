// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "net/async/loop.h"
#include "net/async/signal.h"
#include "net/async/task.h"
#include "net/async/task_group.h"
#include "slurm/client/client.h"
#include "slurm/mirror/state.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slurm::inline mirror {

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
  // Somebody is about to act on this running job: its view is brought up to date, by a read of the
  // job itself (JobView::read_as_of) where polls are slow. May be called again and again: there is
  // one read of a job at a time, and a bounded number of reads.
  void confirm(JobId id);
  // Look through all of Slurm's jobs for ours, beginning no earlier than now.
  void request_scan();
  // A submit got no answer. That may have been a crash of slurmctld, and its job may have got the
  // id of one that was somebody else's: the next scan looks at the newest of those once more.
  void submit_was_lost() { state_.submit_was_lost(); }
  // The newest id that this process has heard of, and that a later submit got that id or an older
  // one: then Slurm has lost jobs, and every job is looked at once more.
  std::optional<JobId> newest_known() const { return state_.newest_known(); }
  void ids_were_given_again() { state_.ids_were_given_again(); }

  // nullptr: not followed. Valid until the next forget() or turn of the loop.
  const JobView* find(JobId id) const { return state_.find(id); }
  // Live jobs with our identity, those that we submitted and those that a scan found.
  const std::map<JobId, FoundJob>& ours() const { return state_.ours(); }
  // What a followed or found job says of itself, whatever its state and whoever made it; nullptr
  // while nobody has been told.
  const std::string* comment_of(JobId id) const { return state_.comment_of(id); }
  // What it said itself and when, not what we wrote into it; nullptr while it was not asked.
  const JobIdentityRecord* identity_record_of(JobId id) const {
    return state_.identity_record_of(id);
  }
  // When it was first known that this job says what comment_of() shows, also if we made it
  // ourselves; empty while nobody has been told.
  std::optional<base::Instant> said_since(JobId id) const { return state_.said_since(id); }
  // Every job that was live in Slurm at this instant has been looked at: what is ours of them is,
  // or was, in ours(). Instant::min() before the first complete scan.
  base::Instant scanned_since() const { return state_.scanned_since(); }

  // How many answers there have been about many jobs at a time: with each, all views may be newer.
  std::uint64_t answers() const { return state_.answers(); }

  // The latest call was answered. False also before the first answer, and while polls fail.
  bool healthy() const { return state_.healthy(); }
  // When the latest poll was asked for that was answered for every job; Instant::min() before the
  // first. Without jobs to poll for, scans count.
  base::Instant polled_at() const { return state_.polled_at(); }
  // How many jobs are followed.
  std::size_t followed() const { return state_.followed(); }
  const std::optional<base::Error>& last_error() const { return state_.last_error(); }

  // Called after a view or an entry of ours() has changed or gone.
  void on_change(std::function<void(JobId)> call) { on_change_.push_back(std::move(call)); }
  // Called when Slurm does not answer any more: last_error() says why.
  void on_outage(std::function<void()> call) { on_outage_.push_back(std::move(call)); }
  // Called when Slurm answers for the first time, or again after it did not.
  void on_recovery(std::function<void()> call) { on_recovery_.push_back(std::move(call)); }
  // Called when a server on the way has refused a poll because of its length, and smaller calls are
  // answered. Once, unless they have to become smaller still.
  void on_shortened(std::function<void(const StatesPoll::Shortened&)> call) {
    on_shortened_.push_back(std::move(call));
  }
  // Called after scanned_since() has advanced.
  void on_scan(std::function<void()> call) { on_scan_.push_back(std::move(call)); }

 private:
  void start(net::TaskGroup& calls, MirrorState::Calls what);
  net::Task<void> ask_states(MirrorState::StatesCall call);
  net::Task<void> ask_all_states(QueryStamp asked);
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
  std::vector<std::function<void(const StatesPoll::Shortened&)>> on_shortened_;
  bool was_healthy_ = false;
};

}  // namespace slurm::inline mirror
