// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/job_views.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace slurm::inline mirror {
namespace {

constexpr std::uint64_t kQuestions = 12;

// Answers to the queries 1, 2, ... as they may arrive: in any order, some never.
std::vector<std::uint64_t> arrivals() {
  std::vector<std::uint64_t> orders;
  for (std::uint64_t n = 1; n <= kQuestions; ++n) {
    if (*rc::gen::inRange(0, 5) != 0) orders.push_back(n);
  }
  for (std::size_t n = orders.size(); n > 1; --n) {
    std::swap(orders[n - 1], orders[*rc::gen::inRange<std::size_t>(0, n)]);
  }
  return orders;
}

base::Instant when(std::uint64_t order) {
  return base::Instant(std::chrono::seconds(order));
}

RC_GTEST_PROP(JobViewsProperty, TheAnswerOfTheLatestQueryCountsInAnyOrderOfArrival, ()) {
  constexpr JobState kStates[] = {JobState::pending, JobState::running, JobState::suspended};
  const JobId id(7);
  JobViews views;
  const auto followed_since = *rc::gen::inRange<std::uint64_t>(0, kQuestions);
  views.add(id, followed_since);

  std::uint64_t newest = followed_since;
  for (const std::uint64_t order : arrivals()) {
    const JobView before = *views.find(id);
    const bool knows_it = order % 4 != 0;
    std::vector<JobStatus> answer;
    if (knows_it) answer.push_back({.id = id, .state = kStates[order % 3]});
    const std::vector<JobId> questioned{id};
    const auto changed = views.apply({order, when(order)}, questioned, answer);

    const JobView& now = *views.find(id);
    if (order <= newest) {
      RC_ASSERT(now == before);
      RC_ASSERT(changed.empty());
      continue;
    }
    newest = order;
    RC_ASSERT(now.as_of == when(order));
    RC_ASSERT((now.knowledge == JobView::Knowledge::known) == knows_it);
    if (knows_it) RC_ASSERT(now.state == kStates[order % 3]);
  }
}

}  // namespace
}  // namespace slurm::inline mirror
