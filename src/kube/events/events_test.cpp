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
    co_return Error(Kind::internal, "events are not watched");
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
  void record(const EventSubject& about,
              std::string message,
              Severity severity = Severity::normal) {
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
  Credentials no_credentials;
  Client client{server, no_credentials};
  Events events{world.loop, client, {.component = "slurm-bridge", .instance = "i-1"}, base::Log()};
};

TEST_F(EventsTest, AnEventIsWhatKubectlDescribeShows) {
  record(kPod, "Waiting for job 7", Severity::warning);
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

TEST_F(EventsTest, AnEventOfANodeIsInTheDefaultNamespace) {
  record(kNode, "Drained");
  run_for(1s);
  ASSERT_EQ(server.events.size(), 1U);
  EXPECT_THAT(server.events.begin()->first, HasSubstr("/namespaces/default/events/n1."));
  EXPECT_EQ(server.events.begin()->second.find("involvedObject")->find("namespace"), nullptr);
}

TEST_F(EventsTest, AnEventOfALeaseNamesTheApiOfTheLease) {
  Lease lease;
  lease.metadata.name = "slurm-bridge-scheduler";
  lease.metadata.namespace_ = "slurm";
  lease.metadata.uid = Uid("u7");
  record(subject(lease), "Slurm is away");
  run_for(1s);
  ASSERT_EQ(server.events.size(), 1U);
  EXPECT_EQ(server.events.begin()->second.find("involvedObject")->dump(),
            R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease",)"
            R"("name":"slurm-bridge-scheduler","namespace":"slurm","uid":"u7"})");
}

TEST_F(EventsTest, ARepeatIncreasesTheCountOfTheExistingEvent) {
  for (int i = 0; i < 3; ++i) {
    record(kPod, "x");
    run_for(10s);
  }
  ASSERT_EQ(server.events.size(), 1U);
  const json::Object& event = server.events.begin()->second;
  EXPECT_EQ(*event.find("count")->as_int(), 3);
  EXPECT_EQ(*event.find("firstTimestamp")->as_string(), "2023-11-14T22:13:20Z");
  EXPECT_EQ(*event.find("lastTimestamp")->as_string(), "2023-11-14T22:13:40Z");
  EXPECT_EQ(server.calls.size(), 3U);
}

TEST_F(EventsTest, QueuedRepeatsAreOneWrite) {
  for (int i = 0; i < 1000; ++i) record(kPod, "x");
  run_for(1s);
  EXPECT_EQ(server.calls.size(), 1U);
  EXPECT_EQ(count_of("x"), 1000);
  EXPECT_EQ(events.dropped(), 0U);
}

TEST_F(EventsTest, EventsThatDifferInAnyFieldAreSeparate) {
  record(kPod, "x");
  record(kPod, "y");
  record(kPod, "x", Severity::warning);
  record(kNode, "x");
  record({"Pod", {"a", "p"}, Uid("same name")}, "x");
  run_for(1s);
  EXPECT_EQ(server.events.size(), 5U);
}

TEST_F(EventsTest, AnExpiredEventIsCreatedAgainWithItsCount) {
  record(kPod, "x");
  run_for(1s);
  server.events.clear();
  record(kPod, "x");
  run_for(1s);
  EXPECT_EQ(count_of("x"), 2);
  EXPECT_EQ(server.calls.size(), 3U);
}

TEST_F(EventsTest, TheLimitOfOneObjectDoesNotAffectOthers) {
  for (int i = 0; i < 100; ++i) {
    record(kPod, fmt::format("message {}", i));
    run_for(10ms);
  }
  EXPECT_EQ(server.events.size(), 25U);
  EXPECT_EQ(events.dropped(), 75U);
  record(kNode, "written");
  run_for(10ms);
  EXPECT_EQ(count_of("written"), 1);
  run_for(5min);
  record(kPod, "written again");
  run_for(10ms);
  EXPECT_EQ(count_of("written again"), 1);
}

TEST_F(EventsTest, RepeatsAboveTheLimitAreInTheNextCount) {
  for (int i = 0; i < 100; ++i) {
    record(kPod, "x");
    run_for(10ms);
  }
  EXPECT_EQ(count_of("x"), 25);
  EXPECT_EQ(server.calls.size(), 25U);
  run_for(5min);
  record(kPod, "x");
  run_for(10ms);
  EXPECT_EQ(count_of("x"), 101);
}

TEST_F(EventsTest, AFullQueueDropsEventsAndCountsThem) {
  server.down = true;
  for (int i = 0; i < 1000; ++i) record({"Pod", {"a", fmt::format("p{}", i)}, Uid("u")}, "x");
  EXPECT_EQ(events.waiting(), 256U);
  EXPECT_EQ(events.dropped(), 744U);
  run_for(1s);
  server.down = false;
  run_for(1h);
  EXPECT_EQ(events.waiting(), 0U);
  EXPECT_GE(events.written(), 255U);
}

TEST_F(EventsTest, ALostAnswerCreatesNoSecondEvent) {
  server.script = {EventServer::kAnswerLost};
  record(kPod, "x");
  run_for(1min);
  EXPECT_EQ(server.events.size(), 1U);
  EXPECT_EQ(events.written(), 1U);
  record(kPod, "x");
  run_for(1s);
  EXPECT_EQ(count_of("x"), 2);
}

TEST_F(EventsTest, ARejectedEventIsNotRetried) {
  server.script = {403, 404, 422};
  record(kPod, "x");
  record(kPod, "y");
  record(kPod, "z");
  record(kPod, "w");
  run_for(1min);
  EXPECT_EQ(server.calls.size(), 4U);
  EXPECT_EQ(events.failed(), 3U);
  EXPECT_EQ(count_of("w"), 1);
}

TEST_F(EventsTest, AnEventIsDroppedAfterFiveAttempts) {
  server.down = true;
  record(kPod, "x");
  run_for(1h);
  EXPECT_EQ(events.failed(), 1U);
  EXPECT_EQ(server.calls.size(), 5U);
  server.down = false;
  record(kPod, "x");
  run_for(1s);
  EXPECT_EQ(count_of("x"), 1);
}

TEST_F(EventsTest, LongMessagesAreCutAtCharacterBoundaries) {
  std::string longest;
  while (longest.size() < 3000) longest += "\u20ac";
  record(kPod, longest);
  record(kPod, std::string(2000, '\xff'));
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

TEST_F(EventsTest, ALongObjectNameGivesAValidEventName) {
  record({"Pod", {"a", std::string(234, 'x') + ".." + std::string(17, 'y')}, Uid("u")}, "x");
  run_for(1s);
  ASSERT_EQ(server.events.size(), 1U);
  const std::string name =
      *server.events.begin()->second.find("metadata")->find("name")->as_string();
  EXPECT_LE(name.size(), 253U);
  EXPECT_EQ(name.find(".."), std::string::npos);
}

TEST(EventAggregator, MemoryIsBoundedForAnyInput) {
  const auto bounded = [] {
    const EventLimits limits{.queue = 4, .remembered = 8, .per_object = {3, 1s}};
    EventAggregator aggregator("c", "i", limits);
    base::Instant now{};
    const auto steps = *rc::gen::container<std::vector<int>>(200, rc::gen::inRange(0, 1000));
    for (const int step : steps) {
      now += std::chrono::milliseconds(step % 50);
      const EventSubject about{"Pod", {"a", std::to_string(step % 7)}, Uid("u")};
      (void)aggregator.record({about, Severity::normal, "R", std::to_string(step % 13)},
                              {now, base::WallTime(), static_cast<std::uint64_t>(step)});
      if (step % 3 == 0 && aggregator.next()) {
        switch (step % 4) {
          case 0: aggregator.missing(static_cast<std::uint64_t>(step)); break;
          case 1: aggregator.given_up(); break;
          default: aggregator.written();
        }
      }
      RC_ASSERT(aggregator.waiting() <= 5U);  // one more: an expired event returns to the front
      RC_ASSERT(aggregator.remembered() <= 8U);
    }
  };
  EXPECT_TRUE(rc::check(bounded));
}

}  // namespace
}  // namespace kube::inline events
