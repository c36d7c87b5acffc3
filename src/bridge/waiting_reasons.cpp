// SPDX-License-Identifier: Apache-2.0
#include "bridge/waiting_reasons.h"

#include "base/rfc3339.h"
#include "slurm/waiting_reason.h"

#include <fmt/format.h>

namespace bridge {
namespace {

using namespace std::chrono_literals;

constexpr auto kLookEvery = 250ms;
// Most jobs start before anybody wants to know why they wait.
constexpr auto kFirstLookAfter = 1s;
constexpr auto kLookAgainAfter = 60s;
// A forecast that moves by less is the same one.
constexpr auto kSameStart = 10min;
constexpr auto kCallTimeout = 10s;

bool is_about_the_same(std::optional<base::WallTime> a, std::optional<base::WallTime> b) {
  if (a.has_value() != b.has_value()) return false;
  return !a || (*a < *b ? *b - *a : *a - *b) < kSameStart;
}

// To the minute: "2026-11-16T14:05Z".
std::string to_the_minute(base::WallTime when) {
  return base::format_rfc3339(when).substr(0, 16) + "Z";
}

}  // namespace

std::string waiting_words(const slurm::Job& job, base::WallTime now) {
  std::string text = job.state_reason;
  if (const auto meaning = slurm::waiting_in_words(job.state_reason); !meaning.empty())
    text += fmt::format(" ({})", meaning);
  if (job.start_time && *job.start_time > now) {
    text += fmt::format("; expected to start about {}, as of {}",
                        to_the_minute(*job.start_time),
                        to_the_minute(now));
  }
  return text;
}

WaitingReasons::WaitingReasons(Links links, Picture& picture)
    : links_(std::move(links)), picture_(picture) {}

const std::string& WaitingReasons::of(slurm::JobId job) {
  const auto [place, is_new] = entries_.try_emplace(job);
  if (is_new) {
    place->second.due = links_.loop.in(kFirstLookAfter);
    due_.insert({place->second.due, job});
  }
  return place->second.words;
}

net::Task<void> WaitingReasons::run() {
  for (;;) {
    const auto slept = co_await links_.loop.sleep_for(kLookEvery);
    if (!slept.ok()) co_return;
    if (!picture_.mirror().healthy()) continue;
    if (const auto job = next()) co_await look(*job);
  }
}

// The job that has been due for longest; those that do not wait any more are dropped on the way.
std::optional<slurm::JobId> WaitingReasons::next() {
  while (!due_.empty() && due_.begin()->first <= links_.loop.now()) {
    const slurm::JobId job = due_.begin()->second;
    const slurm::JobView* view = picture_.mirror().find(job);
    if (view != nullptr && view->known(slurm::JobState::pending)) return job;
    drop(job);
  }
  return std::nullopt;
}

net::Task<void> WaitingReasons::look(slurm::JobId job) {
  const auto said = co_await links_.slurm.job(job, links_.loop.in(kCallTimeout));
  const auto place = entries_.find(job);
  if (place == entries_.end()) co_return;
  Entry& entry = place->second;
  due_.erase({entry.due, job});
  entry.due = links_.loop.in(kLookAgainAfter);
  due_.insert({entry.due, job});
  if (!said.ok() || said->state != slurm::JobState::pending) co_return;
  if (entry.reason == said->state_reason && is_about_the_same(entry.start, said->start_time))
    co_return;
  entry.reason = said->state_reason;
  entry.start = said->start_time;
  entry.words = waiting_words(*said, links_.loop.clock().wall());
  if (on_news_) on_news_(job);
}

void WaitingReasons::drop(slurm::JobId job) {
  const auto place = entries_.find(job);
  due_.erase({place->second.due, job});
  entries_.erase(place);
}

}  // namespace bridge
