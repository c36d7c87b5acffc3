// SPDX-License-Identifier: Apache-2.0
// The reaction of the reflector to each answer that a server may give.
#include "kube/api/node.h"
#include "kube/cache/reflector.h"
#include "kube/cache/store.h"
#include "net/testing/loop.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>

namespace kube::inline cache {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using net::http::Header;
using net::http::Request;
using net::http::Response;
using net::http::StreamingResponse;
using ::testing::ElementsAre;
using namespace std::chrono_literals;

std::string node(std::string_view name, int version, std::string_view spec = "{}") {
  return fmt::format(
      R"({{"metadata":{{"name":"{}","uid":"u-{}","resourceVersion":"{}"}},"spec":{}}})",
      name,
      name,
      version,
      spec);
}

std::string event(std::string_view type, const std::string& object) {
  return fmt::format("{{\"type\":\"{}\",\"object\":{}}}\n", type, object);
}

Response list(int version, std::vector<std::string> items, std::string_view more = "") {
  return {200,
          {},
          fmt::format(R"({{"metadata":{{"resourceVersion":"{}","continue":"{}"}},"items":[{}]}})",
                      version,
                      more,
                      fmt::join(items, ","))};
}

// The pieces of one watch, and how it ends.
struct Watching {
  enum class End { in_good_order, silent };
  std::vector<std::string> pieces{};
  End end = End::silent;
  int status = 200;
  std::vector<Header> headers{};
};

// Answers from a script, in order: lists from `pages`, watches from `watches`. After the last one,
// watches send nothing.
class Script final : public net::http::Transport {
 public:
  explicit Script(net::Loop& loop) : loop_(loop) {}

  net::Task<Result<Response>> send(Request request, base::Instant) override {
    note(request);
    auto waited = co_await loop_.sleep_for(1ms);
    if (!waited.ok()) co_return std::move(waited).error();
    if (pages.empty()) co_return Response(500, {}, "the script has ended");
    Response page = pages.front();
    if (!last_page_repeats || pages.size() > 1) pages.pop_front();
    co_return page;
  }

  net::Task<Result<StreamingResponse>> open(Request request, base::Instant) override {
    note(request);
    Watching watching;
    if (!watches.empty()) {
      watching = watches.front();
      if (!last_watch_repeats || watches.size() > 1) watches.pop_front();
    }
    const int status = watching.status;
    std::vector<Header> headers = watching.headers;
    co_return StreamingResponse(
        status, std::move(headers), std::make_unique<Stream>(*this, std::move(watching)));
  }

  std::deque<Response> pages;
  std::deque<Watching> watches;
  bool last_page_repeats = false;
  bool last_watch_repeats = false;
  int open_watches = 0;
  std::vector<std::string> asked;  // "list", "list CONTINUE", "watch VERSION"
  std::vector<base::Instant> asked_at;
  std::vector<std::string> limits;  // empty for watches

 private:
  class Stream final : public net::http::Body {
   public:
    Stream(Script& script, Watching watching) : script_(script), watching_(std::move(watching)) {
      ++script_.open_watches;
    }
    ~Stream() override { --script_.open_watches; }

    net::Task<Result<std::size_t>> read(std::string& append_to, base::Instant deadline) override {
      auto waited = co_await script_.loop_.sleep_for(1ms);
      if (!waited.ok()) co_return std::move(waited).error();
      if (next_ < watching_.pieces.size()) {
        append_to += watching_.pieces[next_];
        co_return watching_.pieces[next_++].size();
      }
      if (watching_.end == Watching::End::in_good_order || watching_.status != 200) co_return 0U;
      waited = co_await script_.loop_.sleep_until(deadline);
      if (!waited.ok()) co_return std::move(waited).error();
      co_return Error(Kind::lost, "nothing came");
    }

   private:
    Script& script_;
    Watching watching_;
    std::size_t next_ = 0;
  };

  static std::string value(const std::string& target, std::string_view name) {
    const auto at = target.find(name);
    if (at == std::string::npos) return "";
    const auto begin = at + name.size();
    return target.substr(begin, target.find('&', begin) - begin);
  }
  void note(const Request& request) {
    asked_at.push_back(loop_.now());
    limits.push_back(value(request.target, "limit="));
    if (request.target.contains("watch=1")) {
      asked.push_back("watch " + value(request.target, "resourceVersion="));
      return;
    }
    const std::string more = value(request.target, "&continue=");
    asked.push_back(more.empty() ? "list" : "list " + more);
  }

  net::Loop& loop_;
};

struct ReflectorTest : ::testing::Test {
  ~ReflectorTest() override {
    world.tasks.cancel();
    world.loop.run_virtual(world.clock);
  }
  void run_for(base::Duration time) {
    if (world.tasks.empty()) world.tasks.spawn("reflector", reflector.run());
    world.loop.run_virtual(world.clock, world.clock.now() + time);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [key, object] : store.objects()) all.push_back(key.name);
    return all;
  }
  std::size_t logged(std::string_view text) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(lines, [&](const auto& line) { return line.contains(text); }));
  }
  static Watching until_eof(std::vector<std::string> pieces) {
    return {.pieces = std::move(pieces), .end = Watching::End::in_good_order};
  }
  static Watching refused(int status, std::vector<Header> headers = {}) {
    return {.status = status, .headers = std::move(headers)};
  }

  net::testing::VirtualWorld world;
  Script server{world.loop};
  Credentials no_credentials;
  Client client{server, no_credentials};
  Store<Node> store;
  std::vector<std::string> lines;
  base::Log log{[this](std::string_view line) { lines.emplace_back(line); },
                world.clock,
                base::LogFormat::human};
  Reflector reflector{world.loop, client, Selection{kNodes, "", "", ""}, store, log};
};

TEST_F(ReflectorTest, ABookmarkMovesTheVersionToResumeFrom) {
  server.pages = {list(10, {node("a", 5)})};
  server.watches = {until_eof({event("BOOKMARK", R"({"metadata":{"resourceVersion":"50"}})")})};
  run_for(1s);
  EXPECT_THAT(server.asked, ElementsAre("list", "watch 10", "watch 50"));
  EXPECT_THAT(names(), ElementsAre("a")) << "a bookmark is not an object";
}

TEST_F(ReflectorTest, AfterAnOrderlyEndItResumesWithoutAList) {
  server.pages = {list(10, {})};
  server.watches = {until_eof({event("ADDED", node("a", 11))}), until_eof({}), until_eof({})};
  run_for(1s);
  EXPECT_THAT(server.asked, ElementsAre("list", "watch 10", "watch 11", "watch 11", "watch 11"));
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(ReflectorTest, APartialEventIsIgnored) {
  server.pages = {list(10, {})};
  const std::string second = event("ADDED", node("b", 12));
  server.watches = {until_eof({event("ADDED", node("a", 11)), second.substr(0, 40)}),
                    until_eof({second})};
  run_for(1s);
  EXPECT_THAT(server.asked, ElementsAre("list", "watch 10", "watch 11", "watch 12"));
  EXPECT_THAT(names(), ElementsAre("a", "b"));
}

TEST_F(ReflectorTest, A410ToTheWatchCausesANewList) {
  server.pages = {list(10, {node("a", 5)}), list(99, {node("b", 98)})};
  server.watches = {refused(410)};
  run_for(1s);
  EXPECT_THAT(server.asked, ElementsAre("list", "watch 10", "list", "watch 99"));
  EXPECT_THAT(names(), ElementsAre("b"));
}

TEST_F(ReflectorTest, A410AsAnEventCausesANewList) {
  server.pages = {list(10, {node("a", 5)}), list(99, {node("b", 98)})};
  server.watches = {{.pieces = {event("ERROR", R"({"kind":"Status","code":410})")}}};
  run_for(1s);
  EXPECT_THAT(server.asked, ElementsAre("list", "watch 10", "list", "watch 99"));
  EXPECT_THAT(names(), ElementsAre("b"));
}

TEST_F(ReflectorTest, AnyOtherErrorEventCausesNoList) {
  server.pages = {list(10, {})};
  server.watches = {{.pieces = {event("ERROR", R"({"kind":"Status","code":500})")}}};
  run_for(1s);
  EXPECT_THAT(server.asked, ElementsAre("list", "watch 10", "watch 10"));
}

TEST_F(ReflectorTest, Repeated410sAreRetriedWithBackOff) {
  server.pages = {list(10, {})};
  server.last_page_repeats = true;
  server.watches = {refused(410)};
  server.last_watch_repeats = true;
  run_for(5min);
  EXPECT_LT(server.asked.size(), 80U);
  EXPECT_GT(server.asked.size(), 20U);
}

TEST_F(ReflectorTest, ASilentWatchIsClosedAndResumed) {
  server.pages = {list(10, {})};
  run_for(85s);
  EXPECT_THAT(server.asked, ElementsAre("list", "watch 10"));
  EXPECT_EQ(server.open_watches, 1);
  run_for(10s);
  EXPECT_THAT(server.asked, ElementsAre("list", "watch 10", "watch 10"));
  EXPECT_EQ(server.open_watches, 1) << "the old connection is closed";
}

TEST_F(ReflectorTest, AListWhoseTokenExpiresIsRestartedAndNeverPartlyVisible) {
  server.pages = {list(10, {node("old", 1)}),
                  list(20, {node("half", 11)}, "t1"),
                  Response(410, {}, R"({"message":"the continue token has expired"})"),
                  list(30, {node("x", 21)}, "t2"),
                  list(30, {node("y", 22)})};
  server.watches = {refused(410)};
  std::set<std::vector<std::string>> seen;
  store.on_change([&](const ObjectKey&, const auto&, const auto&) { seen.insert(names()); });
  for (int i = 0; i < 1000; ++i) {
    run_for(1ms);
    seen.insert(names());
  }
  EXPECT_THAT(server.asked,
              ElementsAre("list", "watch 10", "list", "list t1", "list", "list t2", "watch 30"));
  EXPECT_THAT(seen, ElementsAre(ElementsAre("old"), ElementsAre("x", "y")));
}

TEST_F(ReflectorTest, AnUndecodableObjectDoesNotAffectOthers) {
  server.pages = {
      list(10, {node("a", 1), node("b", 2, R"({"unschedulable":"yes"})"), node("c", 3)})};
  server.watches = {until_eof({event("MODIFIED", node("a", 11, R"({"unschedulable":7})")) +
                               event("ADDED", node("d", 12))})};
  run_for(1s);
  EXPECT_THAT(names(), ElementsAre("c", "d"));
  EXPECT_EQ(store.undecodable().size(), 2U);
  EXPECT_THAT(server.asked, ElementsAre("list", "watch 10", "watch 12"));
}

TEST_F(ReflectorTest, ALineThatIsMalformedOnceIsReadAgain) {
  server.pages = {list(10, {})};
  server.watches = {until_eof({"{\"type\":\n"}), until_eof({event("ADDED", node("a", 11))})};
  run_for(1s);
  EXPECT_THAT(server.asked, ElementsAre("list", "watch 10", "watch 10", "watch 11"));
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(ReflectorTest, ALineThatStaysMalformedCausesAList) {
  server.pages = {list(10, {}), list(20, {node("a", 19)})};
  server.watches = {until_eof({"nonsense\n"}), until_eof({"nonsense\n"})};
  run_for(1s);
  EXPECT_THAT(server.asked, ElementsAre("list", "watch 10", "watch 10", "list", "watch 20"));
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(ReflectorTest, RetryAfterIsRespected) {
  const Response slow_down(429, {{"Retry-After", "7"}}, "slow down");
  server.pages = {slow_down, list(10, {node("a", 1)}, "t"), slow_down, list(10, {node("b", 2)})};
  server.watches = {refused(429, {{"Retry-After", "7"}})};
  run_for(60s);
  EXPECT_THAT(server.asked,
              ElementsAre("list", "list", "list t", "list t", "watch 10", "watch 10"));
  const auto waited = [&](std::size_t n) { return server.asked_at[n] - server.asked_at[n - 1]; };
  for (const std::size_t n : {1U, 3U, 5U}) {
    EXPECT_GE(waited(n), 7s) << n;
    EXPECT_LT(waited(n), 8s) << n;
  }
  EXPECT_LT(waited(2), 1s);
}

TEST_F(ReflectorTest, AListWithoutAVersionIsRejected) {
  server.pages = {Response(200, {}, R"({"items":[]})"), Response(200, {}, "<html>"), list(10, {})};
  run_for(1s);
  EXPECT_THAT(server.asked, ElementsAre("list", "list", "list", "watch 10"));
  EXPECT_TRUE(store.synced());
}

TEST_F(ReflectorTest, AMissingPermissionToListIsReportedOnceAndSoIsItsReturn) {
  server.pages = {Response(403, {}, R"({"message":"nodes is forbidden"})")};
  server.last_page_repeats = true;
  run_for(10min);
  EXPECT_EQ(logged("cannot list nodes: forbidden: nodes is forbidden; grant"), 1U);
  EXPECT_THAT(reflector.problem(), ::testing::HasSubstr("cannot list nodes"));
  server.pages = {list(10, {})};
  run_for(30s);
  EXPECT_EQ(logged("can list nodes again"), 1U);
  EXPECT_EQ(reflector.problem(), "");
  EXPECT_EQ(lines.size(), 2U);
}

TEST_F(ReflectorTest, AMissingPermissionToWatchIsReportedOnceAndSoIsItsReturn) {
  server.pages = {list(10, {})};
  server.watches = {refused(403)};
  server.last_watch_repeats = true;
  run_for(10min);
  EXPECT_EQ(logged("cannot watch nodes: forbidden"), 1U);
  EXPECT_THAT(reflector.problem(), ::testing::HasSubstr("cannot watch nodes"));
  server.watches.clear();
  run_for(30s);
  EXPECT_EQ(logged("can watch nodes again"), 1U);
  EXPECT_EQ(reflector.problem(), "");
  EXPECT_EQ(reflector.lists(), 1U);
}

TEST_F(ReflectorTest, MalformedEventsAreReportedOnce) {
  server.pages = {list(10, {})};
  server.last_page_repeats = true;
  server.watches = {until_eof({"nonsense\n"})};
  server.last_watch_repeats = true;
  run_for(10min);
  EXPECT_EQ(logged("cannot watch nodes: protocol error"), 1U);
  EXPECT_EQ(lines.size(), 1U);
  EXPECT_NE(reflector.problem(), "");
}

TEST_F(ReflectorTest, AWatchWithoutEventsIsNotAFailure) {
  server.pages = {list(10, {})};
  run_for(1h);
  EXPECT_THAT(lines, ElementsAre());
}

TEST_F(ReflectorTest, APageThatIsTooLargeIsRequestedAgainInHalfItsSize) {
  const Response too_large(413, {}, "too large");
  server.pages = {list(10, {node("a", 1)}, "t"), too_large, too_large, list(10, {node("b", 2)})};
  run_for(10s);
  EXPECT_THAT(server.asked, ElementsAre("list", "list t", "list t", "list t", "watch 10"));
  EXPECT_THAT(server.limits, ElementsAre("500", "500", "250", "125", ""));
  EXPECT_THAT(names(), ElementsAre("a", "b"));
}

TEST_F(ReflectorTest, AnUndecodableObjectIsReportedOnce) {
  std::vector<std::string> undecodable;
  store.on_undecodable([&](const ObjectKey& key, const std::string& why) {
    undecodable.push_back(key.to_string() + ": " + why);
  });
  const std::string bad = node("b", 2, R"({"unschedulable":"yes"})");
  const std::string still_bad = node("b", 12, R"({"unschedulable":"yes"})");
  server.pages = {list(10, {node("a", 1), bad}), list(30, {node("a", 1), still_bad})};
  server.watches = {until_eof({event("MODIFIED", still_bad)}), refused(410)};
  run_for(10s);
  EXPECT_EQ(reflector.lists(), 2U);
  EXPECT_THAT(names(), ElementsAre("a"));
  EXPECT_THAT(undecodable,
              ElementsAre("b: $.spec.unschedulable: expected a boolean, got a string"));
}

}  // namespace
}  // namespace kube::inline cache
