// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/backoff.h"
#include "base/clock.h"
#include "base/result.h"
#include "slurm/api/job_answer.h"
#include "slurm/api/model.h"
#include "slurm/mirror/cadence.h"
#include "slurm/mirror/health.h"
#include "slurm/mirror/job_identity_records.h"
#include "slurm/mirror/job_views.h"
#include "slurm/mirror/placements.h"
#include "slurm/mirror/query_stamp.h"
#include "slurm/mirror/scan.h"
#include "slurm/mirror/states_poll.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace slurm::inline mirror {

struct MirrorOptions {
  base::Duration quick_interval = std::chrono::milliseconds(100);  // of state polls, in a hurry
  base::Duration slow_interval = std::chrono::seconds(1);          // and else
  base::Duration hurry_for = std::chrono::seconds(10);
  base::Duration scan_interval = std::chrono::seconds(60);
  base::Duration scan_gap = std::chrono::seconds(1);  // between two scans, however often requested
  base::Duration nodes_again_after = std::chrono::seconds(60);
  std::size_t placements_at_once = 8;
  std::size_t identities_at_once = 4;
  base::BackoffPolicy backoff{std::chrono::milliseconds(500), std::chrono::seconds(10)};
  base::Duration call_timeout = std::chrono::seconds(10);
};

// A live job in Slurm that carries our identity.
struct FoundJob {
  JobId id;
  JobState state = JobState::unknown;  // last known
  std::string admin_comment;
  base::Instant since = base::Instant::min();  // when it was first known to say so

  friend bool operator==(const FoundJob& a, const FoundJob& b) {
    return a.id == b.id && a.state == b.state && a.admin_comment == b.admin_comment;
  }
};

// The picture, what to ask next and what each answer changes, without asking anything itself.
//
// Expects     each call that next() names to be made, and its answer to be given back once.
// Guarantees  see mirror.h, whose promises are kept here.
class MirrorState {
 public:
  using IsOurs = std::function<bool(std::string_view admin_comment)>;

  MirrorState(MirrorOptions options, base::Backoff::Random random, IsOurs is_ours);

  void track(JobId id);
  void forget(JobId id);
  void submitted(JobId id, std::string admin_comment, base::Instant now);
  void hurry(base::Instant now) { hurry_until_ = now + options_.hurry_for; }
  // Somebody is about to act on this running job. Polls are enough for that unless they are slow.
  void confirm(JobId id, base::Instant now);
  void request_scan() { scan_requested_ = true; }
  void submit_was_lost() { may_have_crashed_ = true; }
  // Slurm gave an id that we knew already, or an older one.
  void ids_were_given_again() { lost_jobs(); }
  std::optional<JobId> newest_known() const;

  const JobView* find(JobId id) const { return views_.find(id); }
  const std::map<JobId, FoundJob>& ours() const { return ours_; }
  const std::string* comment_of(JobId id) const;
  const JobIdentityRecord* identity_record_of(JobId id) const { return identity_records_.find(id); }
  std::optional<base::Instant> said_since(JobId id) const;
  base::Instant scanned_since() const { return scan_.since(); }
  std::uint64_t answers() const { return answers_; }
  // The latest calls were answered; false also before the first answer, and while one of the calls
  // of a poll fails, whatever becomes of other calls.
  bool healthy() const { return health_.healthy() && !poll_.error(); }
  const std::optional<base::Error>& last_error() const {
    return health_.failing() ? health_.last_error() : poll_.error();
  }
  // When the latest complete poll was asked for; Instant::min() before the first.
  base::Instant polled_at() const { return poll_.good_since(); }
  std::optional<StatesPoll::Shortened> take_shortened() { return poll_.take_shortened(); }
  std::size_t followed() const { return views_.size(); }
  std::size_t foreign_known() const { return scan_.foreign_known(); }

  struct StatesCall {
    QueryStamp asked;
    std::vector<JobId> ids;
  };
  struct JobCall {
    QueryStamp asked;
    JobId id;
  };
  // What to ask now, and when to look again unless something happens before.
  struct Calls {
    std::optional<StatesCall> states;
    std::optional<QueryStamp> all_states;
    std::vector<JobCall> placements;
    std::vector<JobCall> identities;
    std::vector<JobCall> claims;
    base::Instant wake = base::kNever;
  };
  Calls next(base::Instant now);

  // What an answer changed: whose view or place in ours(), and whether scanned_since() advanced.
  struct Changes {
    std::vector<JobId> jobs;
    bool scanned = false;
  };
  using States = base::Result<std::vector<JobStatus>>;
  Changes answered_states(const StatesCall& call, const States& answer, base::Instant now);
  Changes answered_all_states(const QueryStamp& asked, const States& answer, base::Instant now);
  Changes answered_placement(const JobCall& call,
                             const base::Result<JobIdentity>& answer,
                             base::Instant now);
  Changes answered_identity(const JobCall& call,
                            const base::Result<JobIdentity>& answer,
                            base::Instant now);
  Changes answered_claim(const JobCall& call,
                         const base::Result<JobIdentity>& answer,
                         base::Instant now);

 private:
  QueryStamp ask(base::Instant now) { return {++order_, now}; }
  // Takes note of an answer or error as far as it says whether Slurm is well.
  template <class T>
  void note(const QueryStamp& asked, const base::Result<T>& answer, base::Instant now);
  void note_failure(const QueryStamp& asked, const base::Error& error, base::Instant now);
  base::Instant states_due(base::Instant now) const;
  base::Instant scan_due() const;
  // Brings what depends on the views of these jobs up to date.
  void follow(const std::vector<JobId>& changed);
  bool take_claim(const JobCall& call, const JobIdentity& identity);
  // Slurm has lost jobs that it had taken: no id is known to be the job that it was.
  void lost_jobs();
  // The next list has that many of the newest jobs looked at once more, those of others and ours.
  void doubt(std::size_t newest);
  // We have made a job of that id, or learned whose it is, since we asked.
  bool made_since(const JobCall& call) const;
  // Takes what a doubted job of ours says now. True if it says something else than before.
  bool correct(const JobCall& call, const JobIdentity& identity);
  // Slurm does not know the id, or does so again, or says that it ended: that may be another job.
  void disbelieve(JobId id);
  // What a job said of itself: kept for those that somebody asked us to follow.
  void take_word(const JobCall& call, const JobIdentity& identity);
  void drop_ended_finds(std::vector<JobId>& changed);
  void adopt(const JobCall& call, const JobIdentity& identity);

  MirrorOptions options_;
  IsOurs is_ours_;
  std::uint64_t order_ = 0;
  std::uint64_t answers_ = 0;
  JobViews views_;
  std::set<JobId> wanted_;   // followed at somebody's request, not only because a scan found them
  std::set<JobId> unknown_;  // of those, the ones that Slurm does not know
  std::map<JobId, FoundJob> ours_;
  std::set<JobId> doubted_;  // of ours_: the next list has them looked at
  Placements placements_;
  Scan scan_;
  JobIdentityRecords identity_records_;
  Health health_;
  bool may_have_crashed_ = false;  // since it was last well
  StatesPoll poll_;
  Cadence list_;
  base::Instant hurry_until_ = base::Instant::min();
  bool scan_requested_ = false;
  bool list_failed_ = false;  // the latest one
};

}  // namespace slurm::inline mirror
