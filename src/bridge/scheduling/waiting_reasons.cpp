// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/waiting_reasons.h"

#include "base/rfc3339.h"
#include "bridge/scheduling/timing.h"
#include "slurm/api/waiting_reason.h"

#include <fmt/format.h>

namespace bridge::scheduling {
namespace {

using namespace std::chrono_literals;

constexpr int kSpread = 60;
// Slurm's reason before it has tried to place a job.
constexpr std::string_view kNotLookedAt = "None";

bool is_about_the_same(std::optional<base::WallTime> a, std::optional<base::WallTime> b) {
  if (a.has_value() != b.has_value()) return false;
  return !a || (*a < *b ? *b - *a : *a - *b) < kSameStart;
}

// To the minute: "2026-11-16T14:05Z".
std::string to_the_minute(base::WallTime when) {
  return base::format_rfc3339(when).substr(0, 16) + "Z";
}

std::string reason_with_meaning(std::string_view reason) {
  const auto meaning = slurm::waiting_reason_text(reason);
  return meaning.empty() ? std::string(reason) : fmt::format("{} ({})", reason, meaning);
}

}  // namespace

std::string waiting_text(const slurm::Job& job, base::WallTime now) {
  std::string text = reason_with_meaning(job.state_reason);
  if (job.start_time && *job.start_time > now) {
    text += fmt::format("; expected to start about {}, as of {}",
                        to_the_minute(*job.start_time),
                        to_the_minute(now));
  }
  return text;
}

std::string shared_waiting_text(std::string_view reason, slurm::JobId read_from) {
  return fmt::format(
      "{}, as reported for job {} with the same request", reason_with_meaning(reason), read_from);
}

WaitingReasons::WaitingReasons(runtime::RoleContext context, state::ClusterState& cluster)
    : context_(std::move(context)), cluster_(cluster) {}

const std::string& WaitingReasons::of(slurm::JobId job, RequestShape shape) {
  const auto [place, is_new] = entries_.try_emplace(job);
  Entry& entry = place->second;
  if (!is_new) return entry.text;
  entry.shape = shape;
  take_turn(job, entry, context_.loop.in(kFirstReasonAfter));
  if (shape.known()) {
    ShapeEntry& all = shapes_[shape];
    all.jobs.insert(job);
    if (context_.loop.now() < all.read_at + kReadReasonAgainAfter) share(job, entry, all);
  }
  return entry.text;
}

net::Task<void> WaitingReasons::run() {
  for (;;) {
    const auto slept = co_await context_.loop.sleep_for(kReadReasonEvery);
    if (!slept.ok()) co_return;
    if (!cluster_.mirror().healthy()) continue;
    if (const auto job = next()) co_await look(*job);
  }
}

std::optional<slurm::JobId> WaitingReasons::next() {
  for (const Turns* turns : {&first_, &inherited_unexplained_, &again_}) {
    if (const auto job = next_of(*turns)) return job;
  }
  return std::nullopt;
}

// The job that is due for the longest time. Drops jobs that are no longer pending.
std::optional<slurm::JobId> WaitingReasons::next_of(const Turns& turns) {
  while (!turns.empty() && turns.begin()->first <= context_.loop.now()) {
    const slurm::JobId job = turns.begin()->second;
    const slurm::JobView* view = cluster_.mirror().find(job);
    if (view != nullptr && view->known(slurm::JobState::pending)) return job;
    drop(job);
  }
  return std::nullopt;
}

net::Task<void> WaitingReasons::look(slurm::JobId job) {
  auto said = co_await context_.slurm.job(job, context_.loop.in(kReadReasonTimeout));
  const auto place = entries_.find(job);
  if (place == entries_.end()) co_return;
  Entry& entry = place->second;
  take_turn(job, entry, context_.loop.in(kReadReasonAgainAfter));
  if (!said.ok() || said->state != slurm::JobState::pending) co_return;

  const bool nothing_new = said->state_reason == kNotLookedAt && !entry.text.empty();
  // A reason copied from a similar job is replaced by this job's own, even if equal: only the job's
  // own reason is updated later.
  const bool same = nothing_new || (!entry.shared && entry.reason == said->state_reason &&
                                    is_about_the_same(entry.start, said->start_time));
  if (!same) {
    entry.reason = said->state_reason;
    entry.start = said->start_time;
    entry.text = waiting_text(*said, context_.loop.clock().wall());
    entry.shared = false;
    take_turn(job, entry, entry.due);
    if (on_news_) on_news_(job);
  }
  if (entry.shape.known() && slurm::is_shared_by_equal_requests(said->state_reason)) {
    ShapeEntry& shape = shapes_[entry.shape];
    shape.read_from = job;
    shape.read_at = context_.loop.now();
    shape.reason = said->state_reason;
    for (const slurm::JobId like : shape.jobs) {
      if (share(like, entries_.at(like), shape) && on_news_) on_news_(like);
    }
  }
  if (on_look_) co_await on_look_(*std::move(said));
}

bool WaitingReasons::share(slurm::JobId job, Entry& entry, const ShapeEntry& shape) {
  const bool has_none = entry.text.empty() || entry.reason == kNotLookedAt;
  if (shape.reason.empty() || !has_none) return false;
  entry.reason = shape.reason;
  entry.text = shared_waiting_text(shape.reason, shape.read_from);
  entry.shared = true;
  // The job's own read is still due. The reads are spread over time, because many jobs may get
  // their reason at once.
  take_turn(
      job, entry, context_.loop.in(kReadReasonAgainAfter * (job.value() % kSpread) / kSpread));
  return true;
}

void WaitingReasons::take_turn(slurm::JobId job, Entry& entry, base::Instant due) {
  leave_turns(job, entry);
  entry.due = due;
  Turns& first = entry.shape.known() ? first_ : inherited_unexplained_;
  (entry.text.empty() ? first : again_).emplace(due, job);
}

void WaitingReasons::leave_turns(slurm::JobId job, const Entry& entry) {
  for (Turns* turns : {&first_, &inherited_unexplained_, &again_}) turns->erase({entry.due, job});
}

void WaitingReasons::drop(slurm::JobId job) {
  const auto place = entries_.find(job);
  leave_turns(job, place->second);
  if (const auto shape = shapes_.find(place->second.shape); shape != shapes_.end()) {
    shape->second.jobs.erase(job);
    if (shape->second.jobs.empty()) shapes_.erase(shape);
  }
  entries_.erase(place);
}

}  // namespace bridge::scheduling
