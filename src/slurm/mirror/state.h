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
  base::Duration quick_interval = std::chrono::milliseconds(100);  // of state polls after hurry()
  base::Duration slow_interval = std::chrono::seconds(1);          // of state polls otherwise
  base::Duration hurry_for = std::chrono::seconds(10);
  base::Duration scan_interval = std::chrono::seconds(60);
  base::Duration scan_gap = std::chrono::seconds(1);  // between two scans, however often requested
  base::Duration nodes_again_after = std::chrono::seconds(60);
  std::size_t placements_at_once = 8;
  std::size_t identities_at_once = 4;
  base::BackoffPolicy backoff{std::chrono::milliseconds(500), std::chrono::seconds(10)};
  base::Duration call_timeout = std::chrono::seconds(10);
};

// A live job in Slurm with our identity.
struct FoundJob {
  JobId id;
  JobState state = JobState::unknown;  // last known
  std::string admin_comment;
  base::Instant since = base::Instant::min();  // when its identity was first known

  friend bool operator==(const FoundJob& a, const FoundJob& b) {
    return a.id == b.id && a.state == b.state && a.admin_comment == b.admin_comment;
  }
};

// The content of the mirror: what to query next and what each answer changes. It does no I/O.
//
// Expects     each call that next() returns is made, and its answer is passed in once.
// Guarantees  the guarantees of mirror.h, which are implemented here.
class MirrorState {
 public:
  using IsOurs = std::function<bool(std::string_view admin_comment)>;

  MirrorState(MirrorOptions options, base::Backoff::Random random, IsOurs is_ours);

  void track(JobId id);
  void forget(JobId id);
  void submitted(JobId id, std::string admin_comment, base::Instant now);
  void hurry(base::Instant now) { hurry_until_ = now + options_.hurry_for; }
  // A caller is about to act on this running job: the job is read, before the rotation.
  void confirm(JobId id, base::Instant now);
  void request_scan() { scan_requested_ = true; }
  void submit_was_lost() { may_have_crashed_ = true; }
  // Slurm issued an id that was already known, or an older one.
  void ids_were_given_again() { lost_jobs(); }
  std::optional<JobId> newest_known() const;

  const JobView* find(JobId id) const { return views_.find(id); }
  const std::map<JobId, FoundJob>& ours() const { return ours_; }
  const std::string* comment_of(JobId id) const;
  const JobIdentityRecord* identity_record_of(JobId id) const { return identity_records_.find(id); }
  std::optional<base::Instant> identity_known_since(JobId id) const;
  base::Instant scanned_since() const { return scan_.since(); }
  std::uint64_t answers() const { return answers_; }
  // The latest calls were answered; false before the first answer, and while a call of a poll
  // fails, whatever other calls return.
  bool healthy() const { return health_.healthy() && !poll_.error(); }
  const std::optional<base::Error>& last_error() const {
    return health_.failing() ? health_.last_error() : poll_.error();
  }
  // When the latest complete poll was sent; Instant::min() before the first.
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
  // What to query now, and when to call next() again unless something happens before.
  struct Calls {
    std::optional<StatesCall> states;
    std::optional<QueryStamp> all_states;
    std::vector<JobCall> placements;
    std::vector<JobCall> identities;
    std::vector<JobCall> claims;
    base::Instant wake = base::kNever;
  };
  Calls next(base::Instant now);

  // What an answer changed: the jobs whose view or entry in ours() changed, and whether
  // scanned_since() advanced.
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
  // Updates the health of Slurm from an answer or error.
  template <class T>
  void note(const QueryStamp& asked, const base::Result<T>& answer, base::Instant now);
  void note_failure(const QueryStamp& asked, const base::Error& error, base::Instant now);
  base::Instant states_due(base::Instant now) const;
  base::Instant scan_due() const;
  // Updates everything that depends on the views of these jobs.
  void follow(const std::vector<JobId>& changed);
  bool update_identity(const JobCall& call, const JobIdentity& identity);
  // Slurm has lost accepted jobs: any id may belong to another job now.
  void lost_jobs();
  // After the next list this many of the newest jobs, foreign and ours, are read again.
  void doubt(std::size_t newest);
  // This process submitted a job with that id, or learned its identity, after the query was sent.
  bool made_since(const JobCall& call) const;
  // Records the identity of a doubted job of ours. True if it differs from the known one.
  bool correct(const JobCall& call, const JobIdentity& identity);
  // Slurm does not know the id, or knows it again, or reports its end: the id may belong to another
  // job.
  void disbelieve(JobId id);
  // Records an identity; kept only for tracked jobs.
  void record_identity(const JobCall& call, const JobIdentity& identity);
  void drop_ended_finds(std::vector<JobId>& changed);
  void adopt(const JobCall& call, const JobIdentity& identity);

  MirrorOptions options_;
  IsOurs is_ours_;
  std::uint64_t order_ = 0;
  std::uint64_t answers_ = 0;
  JobViews views_;
  std::set<JobId> wanted_;   // tracked by a caller, not only found by a scan
  std::set<JobId> unknown_;  // of wanted_: unknown to Slurm
  std::map<JobId, FoundJob> ours_;
  std::set<JobId> doubted_;  // of ours_: to be read after the next list
  Placements placements_;
  Scan scan_;
  JobIdentityRecords identity_records_;
  Health health_;
  bool may_have_crashed_ = false;  // since its last answer
  StatesPoll poll_;
  Cadence list_;
  base::Instant hurry_until_ = base::Instant::min();
  bool scan_requested_ = false;
  bool list_failed_ = false;  // the latest one
};

}  // namespace slurm::inline mirror
