// SPDX-License-Identifier: Apache-2.0
#include "history.h"
#include "script.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace sim {
namespace {

using namespace std::chrono_literals;

const Action* action(std::string_view name) {
  const auto found = std::ranges::find(actions(), name, &Action::name);
  if (found == actions().end()) ADD_FAILURE() << "no action " << name;
  return &*found;
}

Plan one_pod() {
  Plan plan;
  plan.seed = 1;
  plan.nodes = 1;
  plan.steps.push_back({3s, action("create a pod that never ends"), {}});
  return plan;
}

// What became of a world in which one process crashed at its k-th request.
struct Crashed {
  std::optional<Violation> violation;
  bool reached = false;  // there was a k-th request before the pod was bound
  int submitted = 0;
  int live = 0;
  int bound = 0;
};

Crashed crash_at(std::uint64_t request, World::CrashPoint point) {
  World world(one_pod(), World::Record::no);
  Crashed crashed;
  world.slurm().on_change([&](const models::JobChange& change) {
    crashed.submitted += change.what == "submitted" ? 1 : 0;
  });
  world.crash_at_request("bridge", request, point);
  crashed.violation = world.run();
  crashed.reached = world.crashes() > 0;
  for (const auto& [id, job] : world.slurm().jobs()) crashed.live += job.live() ? 1 : 0;
  for (const auto& [uid, pod] : world.pods()) crashed.bound += pod.bound() ? 1 : 0;
  return crashed;
}

TEST(Simulation, KilledAtAnyAwaitFromStartToBoundThereIsExactlyOneJob) {
  for (const auto point :
       {World::CrashPoint::before_sending, World::CrashPoint::after_the_effect}) {
    // Until there is no such request any more: by then the pod was bound for a second.
    for (std::uint64_t request = 0;; ++request) {
      const Crashed crashed = crash_at(request, point);
      ASSERT_FALSE(crashed.violation) << "request " << request << ": " << crashed.violation->what;
      if (!crashed.reached) {
        EXPECT_GT(request, 15U);
        break;
      }
      EXPECT_EQ(crashed.submitted, 1) << "request " << request;
      EXPECT_EQ(crashed.live, 1) << "request " << request;
      EXPECT_EQ(crashed.bound, 1) << "request " << request;
    }
  }
}

TEST(Simulation, ASeedRepeatsItsHistoryExactly) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
    const History first = live(make_plan(seed), World::Record::yes);
    const History second = live(make_plan(seed), World::Record::yes);
    EXPECT_EQ(first.timeline, second.timeline) << "seed " << seed;
    EXPECT_EQ(first.requests, second.requests);
  }
}

TEST(Simulation, RecordingAHistoryDoesNotChangeIt) {
  const History plain = live(make_plan(11));
  const History recorded = live(make_plan(11), World::Record::yes);
  EXPECT_EQ(plain.requests, recorded.requests);
  EXPECT_EQ(plain.ended, recorded.ended);
}

// A promise that nobody made, to see that a broken one is found and told.
class NobodyDeletesPods final : public Invariant {
 public:
  std::string_view name() const override { return "I99"; }
  std::string_view sentence() const override { return "nobody deletes pods"; }
  void pod(World& world, const PodTruth* before, const PodTruth* after) override {
    if (before != nullptr && !before->deleting && (after == nullptr || after->deleting))
      world.broken(*this, before->full_name() + " is deleted");
  }
};

TEST(Simulation, ABrokenPromiseShrinksToTheStepsThatBreakIt) {
  Plan plan = make_plan(1);
  plan.extra = [] { return std::make_unique<NobodyDeletesPods>(); };
  for (std::uint64_t seed = 1; !live(plan).violation; ++seed) {
    ASSERT_LT(seed, 50U);
    const auto extra = plan.extra;
    plan = make_plan(seed);
    plan.extra = extra;
  }
  const Shrunk shrunk = shrink(plan, "I99");
  ASSERT_TRUE(shrunk.history.violation);
  EXPECT_EQ(shrunk.history.violation->invariant, "I99");
  EXPECT_LE(shrunk.plan.steps.size(), 3U);
  const std::string text = report(plan, shrunk);
  EXPECT_NE(text.find("nobody deletes pods"), std::string::npos) << text;
  EXPECT_NE(text.find("creates pod"), std::string::npos) << text;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// tests/e2e/t0450_histories.py says the same of the real parts.
TEST(Histories, OnTheModelsEachWrittenHistoryIsSeenAsItIsWrittenDown) {
  int played = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SB_HISTORIES)) {
    if (entry.path().extension() != ".history") continue;
    const std::string text = text_of(entry.path());
    const auto seen = play(text);
    ASSERT_TRUE(seen.ok()) << entry.path() << ": " << seen.error().message();
    EXPECT_EQ(*seen, text) << entry.path();
    ++played;
  }
  EXPECT_GE(played, 12);
}

TEST(Histories, WhatIsWrittenUnderAStepIsReplacedByWhatIsSeen) {
  const auto seen = play("# a comment\n\ncreate a exclusive=false\n    a: gone; no job\n");
  ASSERT_TRUE(seen.ok()) << seen.error().message();
  EXPECT_EQ(*seen,
            "# a comment\n\ncreate a exclusive=false\n"
            "    a: Running bound labelled finalizer; job RUNNING\n");
}

TEST(Histories, AStepThatNobodyKnowsIsAnError) {
  const auto seen = play("ponder a\n");
  ASSERT_FALSE(seen.ok());
  EXPECT_NE(seen.error().message().find("no such step: ponder a"), std::string::npos);
}

}  // namespace
}  // namespace sim
