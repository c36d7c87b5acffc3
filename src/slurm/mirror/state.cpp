// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/state.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace slurm::inline mirror {
namespace {

using base::Instant;
using base::Kind;

constexpr auto kAskClaimAgain = std::chrono::seconds(1);

// A slurmctld that crashes loses the jobs of its last seconds, which it had not saved. An outage
// may have been a crash, but outages are too frequent to examine every job again.
constexpr std::size_t kNewestAfterOutage = 256;

// True for errors of an unavailable slurmctld. A slurmctld that only rejects requests (rate limit,
// token) was not down and must not get more requests because of it.
bool may_be_a_crash(Kind kind) {
  return kind == Kind::unreachable || kind == Kind::lost || kind == Kind::unavailable;
}

// Slurm's verdict on one job, with Slurm's number: Slurm itself works.
bool is_verdict(const base::Error& error) {
  return error.code() != 0 && (error.is(Kind::not_found) || error.is(Kind::conflict) ||
                               error.is(Kind::refused) || error.is(Kind::invalid));
}

// slurmctld came back with an older state, or the id belongs to another job. An administrator who
// requeues a job causes the same change, which costs one read.
bool went_back(JobState before, const JobView& now) {
  if (now.knowledge != JobView::Knowledge::known) return false;
  if (is_over(before)) return !is_over(now.state);
  return now.state == JobState::pending && before != JobState::pending &&
         before != JobState::unknown;
}

}  // namespace

MirrorState::MirrorState(MirrorOptions options, base::Backoff::Random random, IsOurs is_ours)
    : options_(options),
      is_ours_(std::move(is_ours)),
      placements_(options.placements_at_once, options.nodes_again_after),
      scan_(options.identities_at_once),
      identity_records_(options.identities_at_once),
      health_(options.backoff, std::move(random)) {}

void MirrorState::track(JobId id) {
  wanted_.insert(id);
  views_.add(id, order_);
  if (!ours_.contains(id)) identity_records_.want(id);
}

void MirrorState::forget(JobId id) {
  wanted_.erase(id);
  unknown_.erase(id);
  ours_.erase(id);
  doubted_.erase(id);
  identity_records_.forget(id);
  views_.remove(id);
  placements_.stopped(id);
}

void MirrorState::submitted(JobId id, std::string admin_comment, Instant now) {
  // After a crash slurmctld may issue an id again: what is known about the first job is not true
  // for this job.
  if (scan_.is_foreign(id)) lost_jobs();
  forget(id);
  ours_[id] = {id, JobState::pending, std::move(admin_comment), now};
  track(id);
  hurry(now);
}

// --- what to query ---

Instant MirrorState::states_due(Instant now) const {
  if (!views_.any_open() && !poll_.in_round()) return base::kNever;
  return poll_.due(now < hurry_until_ ? options_.quick_interval : options_.slow_interval);
}

void MirrorState::confirm(JobId id, Instant now) {
  hurry(now);
  placements_.ask_soon(id);
}

Instant MirrorState::scan_due() const {
  // Without a job to poll, the list also shows that Slurm answers again.
  const bool soon = scan_requested_ || (health_.failing() && !views_.any_open());
  return list_.due(soon ? options_.scan_gap : options_.scan_interval);
}

MirrorState::Calls MirrorState::next(Instant now) {
  Calls calls;
  if (now < health_.pause_until()) {
    calls.wake = health_.pause_until();
    return calls;
  }
  // While Slurm fails, one query at a time is enough; its answer decides how to continue.
  const auto probing = [this] { return health_.failing() && (poll_.asking() || list_.running()); };
  // If only polls fail, scans still get their turn.
  const bool scan_first = health_.failing() && poll_.error() && !list_failed_ && scan_due() <= now;
  if (!scan_first && !probing() && states_due(now) <= now) {
    calls.states = {ask(now), poll_.start(views_.open(), now)};
  }
  if (!probing() && scan_due() <= now) {
    scan_requested_ = false;
    calls.all_states = ask(now);
    list_.started(now);
  }
  if (probing()) return calls;
  calls.wake = std::min(states_due(now), scan_due());
  if (health_.failing()) return calls;

  for (const JobId id : placements_.start(now)) calls.placements.push_back({ask(now), id});
  for (const JobId id : scan_.start(now)) calls.identities.push_back({ask(now), id});
  for (const JobId id : identity_records_.start(now)) calls.claims.push_back({ask(now), id});
  calls.wake = std::min({calls.wake, placements_.due(), scan_.due(), identity_records_.due()});
  return calls;
}

// --- what an answer changes ---

template <class T>
void MirrorState::note(const QueryStamp& asked, const base::Result<T>& answer, Instant now) {
  if (answer.ok() || is_verdict(answer.error())) {
    health_.answered(asked);
    if (!health_.failing() && std::exchange(may_have_crashed_, false)) doubt(kNewestAfterOutage);
  } else {
    note_failure(asked, answer.error(), now);
  }
}

void MirrorState::note_failure(const QueryStamp& asked, const base::Error& error, Instant now) {
  if (error.is(Kind::cancelled)) return;
  health_.failed(asked, order_, now, error);
  may_have_crashed_ |= health_.failing() && may_be_a_crash(error.kind());
}

void MirrorState::lost_jobs() {
  doubt(std::max(scan_.foreign_known(), ours_.size()));
  // slurmctld may have come back with another state, in which other jobs have our ids. The identity
  // of a running job is read regularly, the identity of a pending job is not.
  std::vector<JobId> waiting;
  for (const JobId id : std::views::keys(ours_)) {
    const JobView* view = views_.find(id);
    const bool waits = view != nullptr && view->known(JobState::pending);
    if (waits && wanted_.contains(id)) waiting.push_back(id);
  }
  for (const JobId id : waiting) disbelieve(id);
}

// Includes our jobs: at the next poll the id of a pending job may belong to another job, and the
// poll shows only that a job is pending.
void MirrorState::doubt(std::size_t newest) {
  scan_.doubt(newest);
  for (const auto& [id, job] : ours_ | std::views::reverse) {
    if (newest-- == 0) break;
    doubted_.insert(id);
  }
}

std::optional<JobId> MirrorState::newest_known() const {
  return std::max(views_.newest(), scan_.newest());
}

void MirrorState::disbelieve(JobId id) {
  ours_.erase(id);
  doubted_.erase(id);
  identity_records_.forget(id);
  if (wanted_.contains(id)) identity_records_.want(id);
}

void MirrorState::follow(const std::vector<JobId>& changed) {
  for (const JobId id : changed) {
    const JobView* view = views_.find(id);
    const bool unknown = view != nullptr && view->knowledge == JobView::Knowledge::unknown_to_slurm;
    // An untracked job that a scan found is dropped by the next scan, which reports the change.
    const bool turned =
        unknown ? wanted_.contains(id) && unknown_.insert(id).second : unknown_.erase(id) > 0;
    if (turned && unknown && is_live(view->state) && ours_.contains(id)) lost_jobs();
    // The end or the suspension of a job has consequences for its pod. The id may belong to another
    // job since the last read, so the job is read again.
    const auto found = ours_.find(id);
    const bool ended = view != nullptr && !unknown && is_over(view->state);
    const bool newly_suspended = view != nullptr && view->known(JobState::suspended) &&
                                 found != ours_.end() && found->second.state != JobState::suspended;
    const bool reverted =
        view != nullptr && found != ours_.end() && went_back(found->second.state, *view);
    if (reverted) doubt(kNewestAfterOutage);
    if (reverted && !wanted_.contains(id)) {
      forget(id);  // the next scan classifies it
      continue;
    }
    if (turned || reverted || ((ended || newly_suspended) && wanted_.contains(id))) {
      disbelieve(id);
    } else if (view != nullptr && found != ours_.end()) {
      found->second.state = view->state;
    }
    if (view != nullptr && view->known(JobState::running)) {
      placements_.runs(id);
    } else {
      placements_.stopped(id);
    }
  }
}

MirrorState::Changes MirrorState::answered_states(const StatesCall& call,
                                                  const States& answer,
                                                  Instant now) {
  if (!answer.ok()) {
    if (poll_.refused_as_too_long(call.ids, answer.error())) return {};
    poll_.failed(answer.error(), now);
    // No error about a whole list of jobs is a verdict on one of them.
    note_failure(call.asked, answer.error(), now);
    return {};
  }
  poll_.answered(now);
  note(call.asked, answer, now);
  ++answers_;
  Changes changes{views_.apply(call.asked, call.ids, *answer)};
  follow(changes.jobs);
  return changes;
}

// Untracked jobs that ended: there is nothing to find any more.
void MirrorState::drop_ended_finds(std::vector<JobId>& changed) {
  for (auto place = ours_.begin(); place != ours_.end();) {
    const JobId id = (place++)->first;
    const JobView* view = views_.find(id);
    if (wanted_.contains(id) || view == nullptr) continue;
    if (view->knowledge != JobView::Knowledge::unknown_to_slurm && !is_over(view->state)) continue;
    forget(id);
    changed.push_back(id);
  }
}

MirrorState::Changes MirrorState::answered_all_states(const QueryStamp& asked,
                                                      const States& answer,
                                                      Instant now) {
  list_.ended(now, answer.ok());
  list_failed_ = !answer.ok();
  if (!answer.ok()) {
    note_failure(asked, answer.error(), now);
    scan_requested_ = true;
    return {};
  }
  note(asked, answer, now);
  if (!views_.any_open()) poll_.nothing_to_ask(asked.at);
  ++answers_;
  Changes changes{views_.apply_to_ended(asked, *answer)};
  follow(changes.jobs);
  drop_ended_finds(changes.jobs);
  const Instant before = scan_.since();
  scan_.listed(
      asked, *answer, [this](JobId id) { return ours_.contains(id) && !doubted_.contains(id); });
  changes.scanned = scan_.since() != before;
  return changes;
}

// Nodes and identity are read in one answer: after a crash of slurmctld the id may belong to
// another job, whose nodes must not be used for this one.
MirrorState::Changes MirrorState::answered_placement(const JobCall& call,
                                                     const base::Result<JobIdentity>& answer,
                                                     Instant now) {
  note(call.asked, answer, now);
  if (!answer.ok() || answer->nodes.empty() || answer->state != JobState::running) {
    placements_.failed(call.id, now);
    return {};
  }
  placements_.answered(call.id, now);
  const bool news = views_.apply_running(call.asked, call.id, answer->nodes);
  if (news) follow({call.id});
  const bool another = update_identity(call, *answer);
  if (!news && !another) return {};
  return {{call.id}};
}

// Records the identity from the answer to another query. True if it differs from the known one.
bool MirrorState::update_identity(const JobCall& call, const JobIdentity& identity) {
  const JobId id = call.id;
  if (!wanted_.contains(id) && !ours_.contains(id)) return false;
  const std::string* before = comment_of(id);
  const bool another = before == nullptr || *before != identity.admin_comment;
  record_identity(call, identity);
  if (another) {
    if (ours_.erase(id) > 0) lost_jobs();
    if (is_ours_(identity.admin_comment)) {
      ours_[id] = {id, identity.state, identity.admin_comment, call.asked.at};
    } else if (!wanted_.contains(id)) {
      forget(id);  // the next scan classifies it
    }
  }
  return another;
}

void MirrorState::record_identity(const JobCall& call, const JobIdentity& identity) {
  if (!wanted_.contains(call.id)) return identity_records_.forget(call.id);
  identity_records_.record(
      call.id, {identity.admin_comment, identity.name, call.asked.at, identity.submit_time});
}

void MirrorState::adopt(const JobCall& call, const JobIdentity& identity) {
  views_.add(call.id, call.asked.order - 1);
  const auto before = ours_.find(call.id);
  const bool same = before != ours_.end() && before->second.admin_comment == identity.admin_comment;
  const Instant since = same ? before->second.since : call.asked.at;
  ours_[call.id] = {call.id, identity.state, identity.admin_comment, since};
  const JobStatus status{.id = call.id, .state = identity.state};
  views_.apply(call.asked, {&call.id, 1}, {&status, 1});
  follow({call.id});
  // The nodes are those of this answer: the nodes known before may belong to another job that had
  // the id.
  if (identity.state == JobState::running && !identity.nodes.empty())
    (void)views_.apply_running(call.asked, call.id, identity.nodes);
  // The job has been read, for the scan or for its identity: one read is enough.
  doubted_.erase(call.id);
  // Unless a later answer reports that the job ended: the job must then confirm its identity again.
  if (ours_.contains(call.id)) record_identity(call, identity);
  scan_.skip(call.id);
}

bool MirrorState::made_since(const JobCall& call) const {
  const auto known = ours_.find(call.id);
  return known != ours_.end() && known->second.since >= call.asked.at;
}

bool MirrorState::correct(const JobCall& call, const JobIdentity& identity) {
  doubted_.erase(call.id);
  const auto before = ours_.find(call.id);
  if (before == ours_.end() || before->second.admin_comment == identity.admin_comment) return false;
  disbelieve(call.id);
  record_identity(call, identity);
  lost_jobs();
  return true;
}

MirrorState::Changes MirrorState::answered_identity(const JobCall& call,
                                                    const base::Result<JobIdentity>& answer,
                                                    Instant now) {
  note(call.asked, answer, now);
  Changes changes;
  const Instant before = scan_.since();
  if (!answer.ok()) {
    const bool gone = answer.error().is(Kind::not_found);
    gone ? scan_.settled(call.id) : scan_.failed(call.id, now);
  } else if (is_over(answer->state)) {
    scan_.settled(call.id);
  } else if (made_since(call)) {
    scan_.settled(call.id);
  } else {
    const bool another = correct(call, *answer);
    const bool mine = is_ours_(answer->admin_comment);
    if (mine) adopt(call, *answer);
    if (mine || another) changes.jobs.push_back(call.id);
    mine ? scan_.settled(call.id) : scan_.foreign(call.id);
  }
  changes.scanned = scan_.since() != before;
  return changes;
}

MirrorState::Changes MirrorState::answered_claim(const JobCall& call,
                                                 const base::Result<JobIdentity>& answer,
                                                 Instant now) {
  note(call.asked, answer, now);
  if (!answer.ok()) {
    // An id that Slurm does not know has no identity; its view shows that.
    const bool gone = answer.error().is(Kind::not_found);
    identity_records_.failed(
        call.id, now + (gone ? options_.scan_interval : base::Duration(kAskClaimAgain)));
    return {};
  }
  identity_records_.answered(
      call.id, {answer->admin_comment, answer->name, call.asked.at, answer->submit_time});
  if (!wanted_.contains(call.id) || made_since(call)) return {};
  (void)correct(call, *answer);
  const Instant before = scan_.since();
  if (is_live(answer->state) && is_ours_(answer->admin_comment)) adopt(call, *answer);
  return {{call.id}, scan_.since() != before};
}

std::optional<Instant> MirrorState::identity_known_since(JobId id) const {
  if (const auto found = ours_.find(id); found != ours_.end()) return found->second.since;
  const JobIdentityRecord* identity = identity_records_.find(id);
  return identity == nullptr ? std::nullopt : std::optional(identity->since);
}

const std::string* MirrorState::comment_of(JobId id) const {
  if (const auto found = ours_.find(id); found != ours_.end()) return &found->second.admin_comment;
  const JobIdentityRecord* identity = identity_records_.find(id);
  return identity == nullptr ? nullptr : &identity->admin_comment;
}

}  // namespace slurm::inline mirror
