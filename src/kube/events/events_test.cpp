// SPDX-License-Identifier: Apache-2.0
#include "kube/events/events.h"

#include "base/utf8.h"
#include "net/testing/loop.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <deque>

namespace kube::inline events {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using net::http::Request;
using net::http::Response;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

const EventSubject kPod{"Pod", {"a", "p"}, Uid("u1")};
const EventSubject kNode{"Node", {"", "n1"}, Uid("u2")};

// Keeps Events by name; the next answers can be scripted.
class EventServer final : public net::http::Transport {
 public:
  explicit EventServer(net::Loop& loop) : loop_(loop) {}

  net::Task<Result<Response>> send(Request request, base::Instant) override {
    auto waited = co_await loop_.sleep_for(1ms);
    if (!waited.ok()) co_return std::move(waited).error();
    calls.push_back(request.method + " " + request.target);
    int status = 0;
    if (!script.empty()) {
      status = script.front();
      script.pop_front();
    }
    if (down) co_return Error(Kind::unreachable, "refused");
    if (status > 0) co_return Response(status, {}, "scripted");
    const Response answer = carry_out(request);
    if (status == kAnswerLost) co_return Error(Kind::lost, "broke");
    co_return answer;
  }
  net::Task<Result<net::http::StreamingResponse>> open(Request, base::Instant) override {
    co_return Error(Kind::internal, "nobody watches events");
  }

  static constexpr int kAnswerLost = -1;
  std::deque<int> script;
  bool down = false;
  std::vector<std::string> calls;
  std::map<std::string, json::Object> events;  // by path

 private:
  Response carry_out(const Request& request) {
    const json::Object body = *json::parse(request.body)->as_object();
    if (request.method == "POST") {
      const std::string path =
          request.target + "/" + *body.find("metadata")->find("name")->as_string();
      if (events.contains(path)) return {409, {}, "exists"};
      events[path] = body;
      return {201, {}, "{}"};
    }
    const auto found = events.find(request.target);
    if (found == events.end()) return {404, {}, "not found"};
    for (const json::Member& member : body) found->second.set(member.key, member.value);
    return {200, {}, "{}"};
  }

  net::Loop& loop_;
};

struct EventsTest : ::testing::Test {
  EventsTest() { world.tasks.spawn("events", events.run()); }
  ~EventsTest() override {
    world.tasks.cancel();
    world.loop.run_virtual(world.clock);
  }
  void run_for(base::Duration time) {
    world.loop.run_virtual(world.clock, world.clock.now() + time);
  }
  void say(const EventSubject& about, std::string message, Severity severity = Severity::normal) {
    events.record({about, severity, "Queued", std::move(message)});
  }
  std::int64_t count_of(std::string_view message) const {
    for (const auto& [path, event] : server.events) {
      if (*event.find("message")->as_string() == message) return *event.find("count")->as_int();
    }
    return 0;
  }

  net::testing::VirtualWorld world;
  EventServer server{world.loop};
  Credentials nobody;
  Client client{server, nobody};
  Events events{world.loop, client, {.component = "slurm-bridge", .instance = "i-1"}, base::Log()};
};

TEST_F(EventsTest, AnEventIsWhatKubectlDescribeShows) {
  say(kPod, "Waiting for job 7", Severity::warning);
  run_for(1s);
  ASSERT_EQ(server.events.size(), 1U);
  const auto& [path, event] = *server.events.begin();
  EXPECT_THAT(path, ::testing::MatchesRegex("/api/v1/namespaces/a/events/p\\.[0-9a-f]{16}"));
  json::Object rest = event;
  rest.erase("metadata");
  EXPECT_EQ(
      json::Value(rest).dump(),
      R"({"apiVersion":"v1","kind":"Event",)"
      R"("involvedObject":{"apiVersion":"v1","kind":"Pod","name":"p","namespace":"a","uid":"u1"},)"
      R"("reason":"Queued","message":"Waiting for job 7","type":"Warning",)"
      R"("source":{"component":"slurm-bridge"},"reportingComponent":"slurm-bridge",)"
      R"("reportingInstance":"i-1","firstTimestamp":"2023-11-14T22:13:20Z",)"
      R"("lastTimestamp":"2023-11-14T22:13:20Z","count":1})");
}

TEST_F(EventsTest, ANodesEventStandsInTheDefaultNamespace) {
  say(kNode, "Drained");
  run_for(1s);
  ASSERT_EQ(server.events.size(), 1U);
  EXPECT_THAT(server.events.begin()->first, HasSubstr("/namespaces/default/events/n1."));
  EXPECT_EQ(server.events.begin()->second.find("involvedObject")->find("namespace"), nullptr);
}

TEST_F(EventsTest, ALeasesEventNamesItsOwnApi) {
  Lease lease;
  lease.metadata.name = "slurm-bridge-scheduler";
  lease.metadata.namespace_ = "slurm";
  lease.metadata.uid = Uid("u7");
  say(subject(lease), "Slurm is away");
  run_for(1s);
  ASSERT_EQ(server.events.size(), 1U);
  EXPECT_EQ(server.events.begin()->second.find("involvedObject")->dump(),
            R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease",)"
            R"("name":"slurm-bridge-scheduler","namespace":"slurm","uid":"u7"})");
}

TEST_F(EventsTest, ARepeatRaisesTheCountOfTheEventThatIsThere) {
  for (int i = 0; i < 3; ++i) {
    say(kPod, "x");
    run_for(10s);
  }
  ASSERT_EQ(server.events.size(), 1U);
  const json::Object& event = server.events.begin()->second;
  EXPECT_EQ(*event.find("count")->as_int(), 3);
  EXPECT_EQ(*event.find("firstTimestamp")->as_string(), "2023-11-14T22:13:20Z");
  EXPECT_EQ(*event.find("lastTimestamp")->as_string(), "2023-11-14T22:13:40Z");
  EXPECT_EQ(server.calls.size(), 3U);
}

TEST_F(EventsTest, RepeatsThatWaitAreOneWrite) {
  for (int i = 0; i < 1000; ++i) say(kPod, "x");
  run_for(1s);
  EXPECT_EQ(server.calls.size(), 1U);
  EXPECT_EQ(count_of("x"), 1000);
  EXPECT_EQ(events.dropped(), 0U);
}

TEST_F(EventsTest, WhatDiffersInAnyPartIsAnEventOfItsOwn) {
  say(kPod, "x");
  say(kPod, "y");
  say(kPod, "x", Severity::warning);
  say(kNode, "x");
  say({"Pod", {"a", "p"}, Uid("namesake")}, "x");
  run_for(1s);
  EXPECT_EQ(server.events.size(), 5U);
}

TEST_F(EventsTest, AnEventThatHasExpiredIsWrittenAnewWithItsCount) {
  say(kPod, "x");
  run_for(1s);
  server.events.clear();
  say(kPod, "x");
  run_for(1s);
  EXPECT_EQ(count_of("x"), 2);
  EXPECT_EQ(server.calls.size(), 3U);
}

TEST_F(EventsTest, OneObjectCannotTalkWithoutEndAndDoesNotSilenceOthers) {
  for (int i = 0; i < 100; ++i) {
    say(kPod, fmt::format("message {}", i));
    run_for(10ms);
  }
  EXPECT_EQ(server.events.size(), 25U);
  EXPECT_EQ(events.dropped(), 75U);
  say(kNode, "heard");
  run_for(10ms);
  EXPECT_EQ(count_of("heard"), 1);
  run_for(5min);
  say(kPod, "heard again");
  run_for(10ms);
  EXPECT_EQ(count_of("heard again"), 1);
}

TEST_F(EventsTest, WhatTheLimitHeldBackIsInTheNextCount) {
  for (int i = 0; i < 100; ++i) {
    say(kPod, "x");
    run_for(10ms);
  }
  EXPECT_EQ(count_of("x"), 25);
  EXPECT_EQ(server.calls.size(), 25U);
  run_for(5min);
  say(kPod, "x");
  run_for(10ms);
  EXPECT_EQ(count_of("x"), 101);
}

TEST_F(EventsTest, AFullQueueDropsAndCounts) {
  server.down = true;
  for (int i = 0; i < 1000; ++i) say({"Pod", {"a", fmt::format("p{}", i)}, Uid("u")}, "x");
  EXPECT_EQ(events.waiting(), 256U);
  EXPECT_EQ(events.dropped(), 744U);
  run_for(1s);
  server.down = false;
  run_for(1h);
  EXPECT_EQ(events.waiting(), 0U);
  EXPECT_GE(events.written(), 255U);
}

TEST_F(EventsTest, ALostAnswerMakesNoSecondEvent) {
  server.script = {EventServer::kAnswerLost};
  say(kPod, "x");
  run_for(1min);
  EXPECT_EQ(server.events.size(), 1U);
  EXPECT_EQ(events.written(), 1U);
  say(kPod, "x");
  run_for(1s);
  EXPECT_EQ(count_of("x"), 2);
}

TEST_F(EventsTest, WhatTheServerRefusesIsNotTriedAgain) {
  server.script = {403, 404, 422};
  say(kPod, "x");
  say(kPod, "y");
  say(kPod, "z");
  say(kPod, "w");
  run_for(1min);
  EXPECT_EQ(server.calls.size(), 4U);
  EXPECT_EQ(events.failed(), 3U);
  EXPECT_EQ(count_of("w"), 1);
}

TEST_F(EventsTest, AnOutageIsTriedAFewTimesAndThenLeft) {
  server.down = true;
  say(kPod, "x");
  run_for(1h);
  EXPECT_EQ(events.failed(), 1U);
  EXPECT_EQ(server.calls.size(), 5U);
  server.down = false;
  say(kPod, "x");
  run_for(1s);
  EXPECT_EQ(count_of("x"), 1);
}

TEST_F(EventsTest, LongTextsAreCutBetweenCharacters) {
  std::string longest;
  while (longest.size() < 3000) longest += "\u20ac";
  say(kPod, longest);
  say(kPod, std::string(2000, '\xff'));
  run_for(1s);
  ASSERT_EQ(server.events.size(), 2U);
  for (const auto& [path, event] : server.events) {
    const std::string& message = *event.find("message")->as_string();
    EXPECT_LE(message.size(), 1024U);
    EXPECT_GE(message.size(), 1020U);
    EXPECT_TRUE(base::is_utf8(message));
    EXPECT_TRUE(message.ends_with("..."));
  }
}

TEST_F(EventsTest, ALongNameStaysAName) {
  say({"Pod", {"a", std::string(234, 'x') + ".." + std::string(17, 'y')}, Uid("u")}, "x");
  run_for(1s);
  ASSERT_EQ(server.events.size(), 1U);
  const std::string name =
      *server.events.begin()->second.find("metadata")->find("name")->as_string();
  EXPECT_LE(name.size(), 253U);
  EXPECT_EQ(name.find(".."), std::string::npos);
}

TEST(EventBook, MemoryIsBoundedWhateverIsRecorded) {
  const auto bounded = [] {
    const EventLimits limits{.queue = 4, .remembered = 8, .per_object = {3, 1s}};
    EventBook book("c", "i", limits);
    base::Instant now{};
    const auto steps = *rc::gen::container<std::vector<int>>(200, rc::gen::inRange(0, 1000));
    for (const int step : steps) {
      now += std::chrono::milliseconds(step % 50);
      const EventSubject about{"Pod", {"a", std::to_string(step % 7)}, Uid("u")};
      (void)book.record({about, Severity::normal, "R", std::to_string(step % 13)},
                        {now, base::WallTime(), static_cast<std::uint64_t>(step)});
      if (step % 3 == 0 && book.next()) {
        switch (step % 4) {
          case 0: book.missing(static_cast<std::uint64_t>(step)); break;
          case 1: book.given_up(); break;
          default: book.written();
        }
      }
      RC_ASSERT(book.waiting() <= 5U);  // one more: an expired event goes back to the front
      RC_ASSERT(book.remembered() <= 8U);
    }
  };
  EXPECT_TRUE(rc::check(bounded));
}

}  // namespace
}  // namespace kube::inline events
