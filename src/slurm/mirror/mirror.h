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

// The only cache of Slurm's jobs in this process.
//
// Expects     loop and client outlive it; run() is a task of a group; all calls are on the loop's
//             thread.
// Guarantees  the number of calls per second depends on the jobs that start and on hurry(), not on
//             the number of pending jobs. An error, a timeout or a restart changes no view: only an
//             answer of Slurm does, and an older answer never replaces a newer one. A query that
//             was sent before a job was followed does not change its view.
// Does not    submit or cancel; conclude that a job no longer exists: the caller judges
//             times_unknown together with its other facts.
class Mirror {
 public:
  // True if a job with this admin_comment is ours.
  using IsOurs = MirrorState::IsOurs;

  Mirror(net::Loop& loop, Client& client, MirrorOptions options, IsOurs is_ours);
  Mirror(const Mirror&) = delete;
  Mirror& operator=(const Mirror&) = delete;

  // Keeps the cache current until cancelled.
  net::Task<void> run();

  // Follows the job until forget(), whether it is ours or not.
  void track(JobId id);
  // The same; everything known about the job before is discarded.
  void track_from_now(JobId id);
  // This process has just submitted the job: it is ours, followed, and polled in short intervals.
  void submitted(JobId id, std::string admin_comment);
  // Stops following the job. The next scan finds a live job with our identity again.
  void forget(JobId id);
  // Something has just changed in Slurm: poll in short intervals for a while.
  void hurry();
  // A caller is about to act on this running job and needs a recent read of it
  // (JobView::read_as_of). May be called repeatedly: a job is read once at a time, and the number
  // of reads is bounded.
  void confirm(JobId id);
  // Requests a scan of all jobs in Slurm that begins no earlier than now.
  void request_scan();
  // A submit got no answer. slurmctld may have crashed, and the new job may have the id of a former
  // foreign job: the next scan examines the newest foreign jobs again.
  void submit_was_lost() { state_.submit_was_lost(); }
  // The newest id that this process knows. If a later submit returns this id or an older one, Slurm
  // has lost jobs, and the scan examines every job again.
  std::optional<JobId> newest_known() const { return state_.newest_known(); }
  void ids_were_given_again() { state_.ids_were_given_again(); }

  // nullptr: not followed. Valid until the next forget() or turn of the loop.
  const JobView* find(JobId id) const { return state_.find(id); }
  // Live jobs with our identity: those that this process submitted and those that a scan found.
  const std::map<JobId, FoundJob>& ours() const { return state_.ours(); }
  // The admin_comment of a followed job, in any state and of any origin; nullptr while
  // unknown.
  const std::string* comment_of(JobId id) const { return state_.comment_of(id); }
  // The identity as reported by the job, not as written by this process; nullptr before an answer.
  const JobIdentityRecord* identity_record_of(JobId id) const {
    return state_.identity_record_of(id);
  }
  // When comment_of() was first known for this job, including jobs that this process submitted;
  // empty while unknown.
  std::optional<base::Instant> identity_known_since(JobId id) const {
    return state_.identity_known_since(id);
  }
  // Every job that was live in Slurm at this instant has been examined: those of ours are, or were,
  // in ours(). Instant::min() before the first complete scan.
  base::Instant scanned_since() const { return state_.scanned_since(); }

  // The number of answers about many jobs at a time: each may have updated all views.
  std::uint64_t answers() const { return state_.answers(); }

  // The latest call was answered. False before the first answer and while polls fail.
  bool healthy() const { return state_.healthy(); }
  // When the latest poll was sent that was answered for every job; Instant::min() before the first.
  // Without jobs to poll, scans count.
  base::Instant polled_at() const { return state_.polled_at(); }
  // The number of followed jobs.
  std::size_t followed() const { return state_.followed(); }
  const std::optional<base::Error>& last_error() const { return state_.last_error(); }

  // Called after a view or an entry of ours() has changed or was removed.
  void on_change(std::function<void(JobId)> call) { on_change_.push_back(std::move(call)); }
  // Called when Slurm stops answering: last_error() has the reason.
  void on_outage(std::function<void()> call) { on_outage_.push_back(std::move(call)); }
  // Called when Slurm answers for the first time, or again after an outage.
  void on_recovery(std::function<void()> call) { on_recovery_.push_back(std::move(call)); }
  // Called when a server on the path has rejected a poll because of its length and accepts smaller
  // calls. Called once, and again only if calls must become even smaller.
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
  void notify_changes(const MirrorState::Changes& changes);
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
