// SPDX-License-Identifier: Apache-2.0
#include "models/kubectl/http.h"

#include "models/testing/kube.h"
#include "net/testing/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace models::kubectl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kPods;
using namespace std::chrono_literals;

struct Pieces final : net::http::BodyWriter {
  explicit Pieces(net::Loop& of) : loop(of) {}

  net::Task<base::Result<void>> write(std::string_view piece) override {
    received.emplace_back(loop.now(), piece);
    co_return base::Result<void>();
  }

  net::Loop& loop;
  std::vector<std::pair<base::Instant, std::string>> received;
};

struct KubeHttpTest : ::testing::Test {
  net::testing::VirtualWorld world;
  kube::KubeServer server{world.clock};
  KubeHttp http{world.loop, server};

  net::http::Answer ask(net::http::Request request) {
    return world.run(http.handler()(std::move(request)));
  }
  net::Task<void> create_after(base::Duration delay) {
    (void)co_await world.loop.sleep_for(delay);
    (void)server.handle(
        {"POST",
         kPods,
         R"({"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i"}]}})"});
  }
};

TEST_F(KubeHttpTest, AWatchSendsAChangeAtOnceAndEndsAtItsTimeout) {
  const auto answer =
      ask({"GET", kPods + "?watch=1&resourceVersion=2&timeoutSeconds=90&allowWatchBookmarks=true"});
  ASSERT_TRUE(answer.stream);
  world.tasks.spawn("a user", [this] { return create_after(5s); });
  Pieces pieces(world.loop);
  EXPECT_TRUE(world.run(answer.stream(pieces)).ok());
  ASSERT_EQ(pieces.received.size(), 2U);
  EXPECT_EQ(pieces.received[0].first, base::Instant(5s));
  EXPECT_THAT(pieces.received[0].second, HasSubstr(R"("type":"ADDED")"));
  EXPECT_EQ(pieces.received[1].first, base::Instant(60s));
  EXPECT_THAT(pieces.received[1].second, HasSubstr(R"("type":"BOOKMARK")"));
  EXPECT_THAT(pieces.received[1].second, HasSubstr(R"("resourceVersion":"3")"));
  EXPECT_EQ(world.loop.now(), base::Instant(90s));
}

TEST_F(KubeHttpTest, AWatchThatIsTooOldEndsWithItsError) {
  server.compact();
  const auto answer = ask({"GET", kPods + "?watch=1&resourceVersion=1"});
  ASSERT_TRUE(answer.stream);
  Pieces pieces(world.loop);
  EXPECT_TRUE(world.run(answer.stream(pieces)).ok());
  ASSERT_EQ(pieces.received.size(), 1U);
  EXPECT_THAT(pieces.received[0].second, HasSubstr(R"("code":410)"));
  EXPECT_EQ(world.loop.now(), base::Instant(0s));
}

TEST_F(KubeHttpTest, WhatIsNoWatchIsAnsweredAtOnce) {
  EXPECT_EQ(ask({"GET", "/readyz"}).response.body, "ok");
  EXPECT_EQ(ask({"GET", kPods + "?watch=1&labelSelector=a+b"}).response.status, 400);
  EXPECT_EQ(ask({"GET", kPods}).response.status, 200);
}

}  // namespace
}  // namespace models::kubectl
