// SPDX-License-Identifier: Apache-2.0
#include "kube/election/election.h"

#include "kube/testing/leases.h"
#include "net/async/task_group.h"
#include "net/testing/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace kube::inline election {
namespace {

using base::Kind;
using base::Result;
using net::Task;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::Fate;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

// A candidate with its own connection to the server.
struct Elector {
  Elector(net::Loop& loop, testing::LeaseServer& server, std::string identity)
      : link(loop, server),
        election(
            loop, client, {.lease = {"n", "l"}, .identity = std::move(identity)}, base::Log()) {}

  // Acquires and holds until cancelled, as a long-running process does.
  Task<void> serve() {
    for (;;) {
      auto acquired = co_await election.acquire();
      if (!acquired.ok()) co_return;
      auto held = co_await election.hold();
      ended.push_back(held.error().to_string());
      if (held.error().is(Kind::cancelled)) co_return;
    }
  }

  testing::LeaseLink link;
  Credentials no_credentials;
  Client client{link, no_credentials};
  Election election;
  std::vector<std::string> ended;  // how each term ended
};

struct ElectionTest : ::testing::Test {
  ~ElectionTest() override {
    world.tasks.cancel();
    world.loop.run_virtual(world.clock);
  }
  void run_for(base::Duration time) {
    world.loop.run_virtual(world.clock, world.clock.now() + time);
  }
  void serve(Elector& elector) { world.tasks.spawn("elector", elector.serve()); }

  net::testing::VirtualWorld world;
  testing::LeaseServer server;
  Elector a{world.loop, server, "a"};
  Elector b{world.loop, server, "b"};
};

TEST_F(ElectionTest, TheFirstCreatesTheLeaseAndLeads) {
  EXPECT_FALSE(a.election.leading());
  EXPECT_TRUE(world.run(a.election.acquire()).ok());
  EXPECT_TRUE(a.election.leading());
  EXPECT_EQ(server.holder(), "a");
  EXPECT_EQ(server.field("leaseDurationSeconds"), "15");
  EXPECT_EQ(server.field("leaseTransitions"), "0");
  EXPECT_EQ(server.field("acquireTime"), "2023-11-14T22:13:20.002000Z");
}

TEST_F(ElectionTest, RenewingKeepsTheTermAndCostsOneCall) {
  serve(a);
  run_for(1s);
  const std::string acquired = server.field("acquireTime");
  const auto calls = server.calls.size();
  run_for(60s);
  EXPECT_TRUE(a.election.leading());
  EXPECT_EQ(a.election.terms(), 1U);
  EXPECT_EQ(server.field("acquireTime"), acquired);
  EXPECT_EQ(server.field("leaseTransitions"), "0");
  EXPECT_NE(server.field("renewTime"), acquired);
  EXPECT_LE(server.calls.size() - calls, 31U);
  EXPECT_THAT(server.calls, Each(Not("PUT")));
}

TEST_F(ElectionTest, TheSecondWaitsWhileTheFirstRenews) {
  serve(a);
  run_for(100ms);
  serve(b);
  run_for(10min);
  EXPECT_TRUE(a.election.leading());
  EXPECT_FALSE(b.election.leading());
  EXPECT_THAT(server.holders, ElementsAre("a"));
  EXPECT_EQ(b.election.holder(), "a");
}

TEST_F(ElectionTest, AfterACrashTheSecondTakesOverAndCountsTheTransition) {
  serve(a);
  run_for(100ms);
  serve(b);
  run_for(1min);
  a.link.down = true;
  run_for(14s);
  EXPECT_FALSE(a.election.leading()) << "its leadership ended by itself";
  EXPECT_FALSE(b.election.leading()) << "too early: the lease is for 15 s";
  run_for(6s);
  EXPECT_TRUE(b.election.leading());
  EXPECT_EQ(server.field("leaseTransitions"), "1");
  ASSERT_EQ(a.ended.size(), 1U);
  EXPECT_EQ(a.ended[0],
            "unavailable: could not renew the lease n/l for 10 s: unreachable: read the lease: "
            "refused");
  a.link.down = false;
  run_for(1min);
  EXPECT_FALSE(a.election.leading()) << "it is a candidate again";
}

TEST_F(ElectionTest, AFollowerDoesNotWaitForTheWholeDuration) {
  serve(a);
  run_for(100ms);
  world.tasks.spawn("watch", b.election.watch());
  run_for(1min);
  a.link.down = true;
  run_for(20s);
  EXPECT_THAT(server.holders, ElementsAre("a")) << "following does not acquire";
  serve(b);
  run_for(100ms);
  EXPECT_TRUE(b.election.leading());
}

TEST_F(ElectionTest, AServerWithoutAnswersEndsTheTermInTime) {
  serve(a);
  run_for(1s);
  a.link.silent = true;
  run_for(13s);
  EXPECT_FALSE(a.election.leading());
  ASSERT_EQ(a.ended.size(), 1U);
  EXPECT_THAT(a.ended[0], HasSubstr("could not renew the lease n/l for 10 s: lost"));
}

TEST_F(ElectionTest, AShortOutageDoesNotEndTheTerm) {
  serve(a);
  run_for(1min);
  a.link.down = true;
  run_for(6s);
  a.link.down = false;
  run_for(1min);
  EXPECT_TRUE(a.election.leading());
  EXPECT_EQ(a.election.terms(), 1U);
}

TEST_F(ElectionTest, APausedProcessSeesTheEndOfItsTermBeforeItsTasksRun) {
  serve(a);
  run_for(1min);
  EXPECT_TRUE(a.election.leading());
  world.clock.advance_to(world.clock.now() + 60s);  // SIGSTOP, SIGCONT: none of its tasks ran
  EXPECT_FALSE(a.election.leading());
  run_for(10ms);
  ASSERT_EQ(a.ended.size(), 1U);
  EXPECT_THAT(a.ended[0], HasSubstr("this process was stopped or too busy to try"));
  run_for(10s);
  EXPECT_TRUE(a.election.leading()) << "there was no other candidate";
  EXPECT_EQ(a.election.terms(), 2U);
}

TEST_F(ElectionTest, LeadershipCountsFromWhenTheRenewalWasSent) {
  a.link.latency = 4s;  // 8 s for every round trip; the timeout of the call is not part of the link
  world.tasks.spawn("acquire", [this]() -> Task<void> { (void)co_await a.election.acquire(); });
  run_for(16s + 1s);  // GET: 0 to 8 s, POST: sent at 8 s, answered at 16 s
  EXPECT_TRUE(a.election.leading());
  run_for(999ms);
  EXPECT_TRUE(a.election.leading());
  run_for(2ms);
  EXPECT_FALSE(a.election.leading()) << "10 s after it was sent, not after the answer";
}

TEST_F(ElectionTest, CalendarJumpsHaveNoEffect) {
  serve(a);
  run_for(100ms);
  serve(b);
  run_for(1min);
  for (const auto jump : {-24h * 365, 24h * 900, -24h * 3, 1h}) {
    world.clock.set_wall(world.clock.wall() + jump);
    run_for(1min);
    EXPECT_TRUE(a.election.leading());
    EXPECT_FALSE(b.election.leading());
  }
  EXPECT_THAT(server.holders, ElementsAre("a"));
}

TEST_F(ElectionTest, AForeignHolderWithAWrongClockKeepsItsLease) {
  server.set({{"holderIdentity", "go"},
              {"leaseDurationSeconds", 15},
              {"renewTime", "1999-01-01T00:00:00.000000Z"}});
  serve(a);
  run_for(14s);
  EXPECT_EQ(server.holder(), "go");
  server.set({{"renewTime", "1999-01-01T00:00:02.000000Z"}});
  run_for(14s);
  EXPECT_EQ(server.holder(), "go");
  run_for(6s);
  EXPECT_EQ(server.holder(), "a");
  EXPECT_TRUE(a.election.leading());
}

TEST_F(ElectionTest, ALostAnswerOfTheFirstWriteIsResolvedByARead) {
  a.link.fates = {Fate::arrives, Fate::answer_lost};  // GET, POST
  serve(a);
  run_for(1s);
  EXPECT_EQ(server.holder(), "a");
  EXPECT_FALSE(a.election.leading()) << "not before the outcome is known";
  run_for(3s);
  EXPECT_TRUE(a.election.leading());
  EXPECT_EQ(server.field("leaseTransitions"), "0") << "it is the same term";
}

TEST_F(ElectionTest, ALostAnswerOfARenewalIsResolvedByARead) {
  serve(a);
  run_for(1s);
  a.link.fates = {Fate::answer_lost};
  run_for(10s);
  EXPECT_TRUE(a.election.leading());
  EXPECT_EQ(a.election.terms(), 1U);
}

TEST_F(ElectionTest, ALabelOfAnotherClientDoesNotEndTheTerm) {
  serve(a);
  run_for(1s);
  server.touch();  // the next renewal meets a 409
  const auto calls = server.calls.size();
  run_for(2s);
  EXPECT_TRUE(a.election.leading());
  EXPECT_EQ(
      std::vector(server.calls.begin() + static_cast<std::ptrdiff_t>(calls), server.calls.end()),
      (std::vector<std::string>{"PATCH", "GET", "PATCH"}));
}

TEST_F(ElectionTest, ALeaseTakenByAnotherIsLostAtOnceWithTheNewHolder) {
  serve(a);
  run_for(1s);
  server.set({{"holderIdentity", "thief"}});
  run_for(2100ms);
  EXPECT_FALSE(a.election.leading());
  EXPECT_THAT(a.ended, ElementsAre("conflict: lost the lease n/l to thief"));
}

TEST_F(ElectionTest, ALeaseEmptiedByHandEndsTheTerm) {
  serve(a);
  run_for(1s);
  server.set({{"holderIdentity", ""}});
  run_for(2100ms);
  EXPECT_THAT(a.ended, ElementsAre("conflict: lost the lease n/l: its holder was removed"));
  run_for(5s);
  EXPECT_TRUE(a.election.leading());
  EXPECT_EQ(a.election.terms(), 2U);
}

TEST_F(ElectionTest, ADeletedLeaseIsCreatedAgain) {
  serve(a);
  run_for(1s);
  server.remove();
  run_for(5s);
  EXPECT_TRUE(a.election.leading());
  EXPECT_EQ(server.holder(), "a");
  EXPECT_EQ(server.generation, 2);
}

TEST_F(ElectionTest, ADeletedLeaseThatAnotherCreatedIsLost) {
  serve(a);
  run_for(1s);
  server.remove();
  server.set({{"holderIdentity", "b"}, {"leaseDurationSeconds", 15}});
  ++server.generation;
  run_for(3s);
  EXPECT_THAT(a.ended, ElementsAre("conflict: lost the lease n/l to b"));
}

TEST_F(ElectionTest, AfterAReleaseTheNextCandidateDoesNotWait) {
  serve(b);
  run_for(1s);
  EXPECT_TRUE(b.election.leading());
  serve(a);
  run_for(10s);
  EXPECT_TRUE(world.run(b.election.release()).ok());
  EXPECT_FALSE(b.election.leading());
  EXPECT_EQ(server.holder(), "");
  EXPECT_EQ(server.field("leaseDurationSeconds"), "1");
  b.link.down = true;
  run_for(2500ms);
  EXPECT_TRUE(a.election.leading());
  EXPECT_EQ(server.field("leaseTransitions"), "1");
}

TEST_F(ElectionTest, ReleasingNeverChangesTheLeaseOfAnother) {
  EXPECT_TRUE(world.run(a.election.acquire()).ok());
  server.set({{"holderIdentity", "thief"}});
  EXPECT_TRUE(world.run(a.election.release()).ok());
  EXPECT_EQ(server.holder(), "thief");
}

TEST_F(ElectionTest, ReleasingWithoutATermSendsNothing) {
  EXPECT_TRUE(world.run(a.election.release()).ok());
  EXPECT_TRUE(server.calls.empty());
}

TEST_F(ElectionTest, AWriteThatWasCancelledIsReleasedToo) {
  a.link.fates = {Fate::arrives, Fate::answer_lost};
  serve(a);
  run_for(10ms);
  EXPECT_EQ(server.holder(), "a");
  EXPECT_TRUE(world.run(a.election.release()).ok());
  EXPECT_EQ(server.holder(), "");
}

TEST_F(ElectionTest, AReleaseWithAConflictIsRetriedOnce) {
  EXPECT_TRUE(world.run(a.election.acquire()).ok());
  a.link.fates = {Fate::arrives, Fate::answer_lost};
  EXPECT_TRUE(world.run(a.election.release()).ok());
  EXPECT_EQ(server.holder(), "");
}

TEST_F(ElectionTest, ReleasingWithoutAServerEndsInTime) {
  EXPECT_TRUE(world.run(a.election.acquire()).ok());
  a.link.silent = true;
  const auto begin = world.clock.now();
  const auto outcome = world.run(a.election.release());
  EXPECT_FALSE(outcome.ok());
  EXPECT_LE(world.clock.now() - begin, 2100ms);
  EXPECT_FALSE(a.election.leading());
}

TEST_F(ElectionTest, RetryAfterIsRespected) {
  a.link.fates = {Fate::too_many};
  serve(a);
  run_for(6900ms);
  EXPECT_TRUE(server.calls.empty());
  run_for(1s);
  EXPECT_TRUE(a.election.leading());
}

TEST_F(ElectionTest, AMissingPermissionIsReportedOnceWithTheFix) {
  std::vector<std::string> lines;
  const base::Log log([&](std::string_view line) { lines.emplace_back(line); },
                      world.clock,
                      base::LogFormat::human);
  Election election(world.loop, a.client, {.lease = {"n", "l"}, .identity = "x"}, log);
  a.link.fates = {4, Fate::http_403};
  EXPECT_TRUE(world.run(election.acquire()).ok());
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_THAT(lines[0], HasSubstr("grant get, create and patch on leases"));
  EXPECT_THAT(lines[1], HasSubstr("became the leader"));
}

TEST_F(ElectionTest, IfPatchIsForbiddenTheWholeLeaseIsReplaced) {
  server.may_patch = false;
  server.set({{"holderIdentity", ""}, {"leaseTransitions", 3}, {"strategy", "not ours to know"}});
  server.labels.set("team", "hpc");
  serve(a);
  run_for(1min);
  EXPECT_TRUE(a.election.leading());
  EXPECT_EQ(a.election.terms(), 1U);
  EXPECT_EQ(server.holder(), "a");
  EXPECT_EQ(server.field("leaseTransitions"), "4");
  EXPECT_EQ(server.field("strategy"), "not ours to know");
  EXPECT_EQ(json::Value(server.labels).dump(), R"({"team":"hpc"})");
  EXPECT_EQ(std::ranges::count(server.calls, "PATCH"), 1)
      << "the verb is remembered after one rejection";
  EXPECT_EQ(std::ranges::count(server.calls, "GET"), 1) << "a renewal is still one call";
}

TEST_F(ElectionTest, AReplacementWithAConflictKeepsTheFieldsOfTheNewVersion) {
  server.may_patch = false;
  serve(a);
  run_for(5s);
  server.labels.set("team", "hpc");
  server.touch();
  run_for(5s);
  EXPECT_TRUE(a.election.leading());
  EXPECT_EQ(a.election.terms(), 1U);
  EXPECT_EQ(json::Value(server.labels).dump(), R"({"team":"hpc"})");
}

TEST_F(ElectionTest, ALeaseCanBeTakenHeldAndReleasedWithUpdateOnly) {
  server.may_patch = false;
  serve(b);
  run_for(1s);
  serve(a);
  run_for(10s);
  EXPECT_TRUE(world.run(b.election.release()).ok());
  EXPECT_EQ(server.holder(), "");
  b.link.down = true;
  run_for(2500ms);
  EXPECT_TRUE(a.election.leading());
  server.set({{"holderIdentity", "thief"}});
  run_for(2100ms);
  EXPECT_THAT(a.ended, ElementsAre("conflict: lost the lease n/l to thief"));
}

TEST_F(ElectionTest, WithoutPatchAndUpdateBothAreTriedUntilOneIsGranted) {
  server.set({{"holderIdentity", ""}});
  server.may_patch = server.may_put = false;
  serve(a);
  run_for(10s);
  EXPECT_FALSE(a.election.leading());
  server.may_patch = true;
  run_for(5s);
  EXPECT_TRUE(a.election.leading());
  EXPECT_EQ(server.calls.back(), "PATCH");
}

TEST_F(ElectionTest, CancellingEndsBothWaits) {
  serve(a);
  run_for(1s);
  serve(b);
  run_for(1s);
  world.tasks.cancel();
  run_for(1ms);
  EXPECT_TRUE(world.tasks.empty());
  EXPECT_THAT(a.ended, ElementsAre("cancelled: the task was cancelled"));
}

// Three electors with pauses, outages, lost messages, calendar jumps and labels: never two leaders.
TEST(ElectionChaos, ThereAreNeverTwoLeaders) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    net::testing::VirtualWorld world;
    std::mt19937_64 random(seed);
    const auto chance = [&](double p) { return std::bernoulli_distribution(p)(random); };
    testing::LeaseServer server;
    server.may_patch = seed % 3 != 0;
    Elector electors[] = {
        {world.loop, server, "a"}, {world.loop, server, "b"}, {world.loop, server, "c"}};
    for (Elector& elector : electors) world.tasks.spawn("elector", elector.serve());
    int led = 0;
    for (int step = 0; step < 4000; ++step) {
      Elector& one = electors[random() % 3];
      if (chance(0.02)) one.link.down = !one.link.down;
      if (chance(0.02)) one.link.silent = !one.link.silent;
      if (chance(0.2)) one.link.fates.push_back(static_cast<Fate>(random() % 7));
      if (chance(0.05)) one.link.latency = std::chrono::milliseconds(random() % 3000);
      if (chance(0.01)) server.touch();
      if (chance(0.01))
        world.clock.set_wall(world.clock.wall() + std::chrono::seconds(random() % 200000) -
                             100000s);
      if (chance(0.01))
        world.clock.advance_to(world.clock.now() + std::chrono::seconds(random() % 40));
      world.loop.run_virtual(world.clock,
                             world.clock.now() + std::chrono::milliseconds(random() % 1000));
      int leaders = 0;
      for (Elector& elector : electors) leaders += elector.election.leading() ? 1 : 0;
      EXPECT_LE(leaders, 1) << "seed " << seed << ", step " << step;
      led += leaders;
    }
    EXPECT_GT(led, 200) << "seed " << seed << ": too few leaders";
    EXPECT_GT(server.holders.size(), 3U) << "seed " << seed << ": too few changes of the holder";
    world.tasks.cancel();
    world.loop.run_virtual(world.clock);
  }
}

TEST_F(ElectionTest, TheProblemIsShownUntilItEnds) {
  for (int i = 0; i < 5; ++i) a.link.fates.push_back(Fate::http_403);
  serve(a);
  run_for(3s);
  ASSERT_TRUE(a.election.problem());
  EXPECT_EQ(a.election.problem()->kind(), Kind::forbidden);
  run_for(30s);
  EXPECT_TRUE(a.election.leading());
  EXPECT_FALSE(a.election.problem());
}

}  // namespace
}  // namespace kube::inline election
