// SPDX-License-Identifier: Apache-2.0
#include "telemetry/metered_transport.h"

#include "net/testing/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace telemetry {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using net::http::Request;
using net::http::Response;
using net::http::StreamingResponse;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

// Sends the answer of the test after 20 ms.
struct Slow final : net::http::Transport {
  explicit Slow(net::Loop& on) : loop(on) {}

  net::Task<Result<Response>> send(Request, base::Instant) override {
    CO_TRY_VOID(co_await loop.sleep_for(20ms));
    if (error) co_return *error;
    co_return Response(status, {}, "body");
  }
  net::Task<Result<StreamingResponse>> open(Request, base::Instant) override {
    CO_TRY_VOID(co_await loop.sleep_for(20ms));
    co_return StreamingResponse(status, {}, nullptr);
  }

  net::Loop& loop;
  int status = 200;
  std::optional<Error> error;
};

struct Metered : ::testing::Test {
  net::testing::VirtualWorld world;
  Metrics metrics;
  Slow slow{world.loop};
  MeteredTransport transport{
      world.loop, slow, CallMetrics::add_to(metrics, "slurm", "Slurm"), [](const Request& request) {
        return request.method + " job";
      }};

  Result<Response> send(const std::string& method) {
    return world.run(transport.send(Request(method, "/job/7"), world.loop.in(1s)));
  }
};

TEST_F(Metered, CallsAreCountedByEndpointAndStatus) {
  EXPECT_EQ(send("GET")->body, "body");
  slow.status = 404;
  EXPECT_EQ(send("GET")->status, 404);
  EXPECT_EQ(send("GET")->status, 404);
  EXPECT_EQ(send("DELETE")->status, 404);
  const std::string text = metrics.text();
  EXPECT_THAT(text, HasSubstr("slurm_calls_total{endpoint=\"GET job\",outcome=\"200\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("slurm_calls_total{endpoint=\"GET job\",outcome=\"404\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("slurm_calls_total{endpoint=\"DELETE job\",outcome=\"404\"} 1\n"));
}

TEST_F(Metered, AFailureIsCountedByItsKindAndReturnedUnchanged) {
  slow.error = Error(Kind::unreachable, "cannot connect");
  const auto answer = send("GET");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().to_string(), slow.error->to_string());
  EXPECT_THAT(metrics.text(), HasSubstr("outcome=\"unreachable\"} 1\n"));
}

TEST_F(Metered, TheTimeOfACallIsObserved) {
  (void)send("GET");
  const std::string text = metrics.text();
  EXPECT_THAT(text, HasSubstr("slurm_call_duration_seconds_count{endpoint=\"GET job\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("slurm_call_duration_seconds_sum{endpoint=\"GET job\"} 0.02\n"));
}

TEST_F(Metered, AStreamCountsWhenItsHeaderArrives) {
  (void)world.run(transport.open(Request("GET", "/watch"), world.loop.in(1s)));
  EXPECT_THAT(metrics.text(), HasSubstr("{endpoint=\"GET job\",outcome=\"200\"} 1\n"));
}

}  // namespace
}  // namespace telemetry
