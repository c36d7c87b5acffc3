// SPDX-License-Identifier: Apache-2.0
#include "telemetry/endpoints.h"

#include "net/http/client.h"
#include "net/http/server.h"
#include "net/testing/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace telemetry {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using net::http::Request;
using net::http::Response;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

struct Endpoints : ::testing::Test {
  Response get(const std::string& target, const std::string& method = "GET") {
    const Request request(method, target);
    for (const Endpoint& endpoint : {metrics_endpoint(metrics), health_endpoint(health)}) {
      if (auto answer = endpoint(request)) return std::move(*answer);
    }
    return {0, {}, "not an endpoint"};
  }

  Metrics metrics;
  Health health;
};

TEST_F(Endpoints, MetricsAreServedInTheirFormat) {
  metrics.counter({"a_total", "A."}).add();
  const Response answer = get("/metrics?x=y");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_THAT(answer.body, HasSubstr("\na_total 1\n"));
}

TEST_F(Endpoints, AProcessThatIsNotReadyIsStillHealthy) {
  health.add("scheduler/pods-listed", [] { return Error(Kind::unavailable, "not yet"); });
  EXPECT_EQ(get("/healthz").status, 200);
  EXPECT_EQ(get("/healthz").body, "ok");
  EXPECT_EQ(get("/healthz?verbose").body, "[+]loop ok\nhealthz check passed\n");
}

TEST_F(Endpoints, ReadinessShowsWhatIsMissing) {
  bool listed = false;
  health.add("scheduler/pods-listed", [&]() -> Result<void> {
    if (!listed) return Error(Kind::unavailable, "the pods were not listed yet");
    return {};
  });
  health.add("webhook/serves", [] { return Result<void>(); });
  const Response missing = get("/readyz");
  EXPECT_EQ(missing.status, 500);
  EXPECT_EQ(missing.body,
            "[-]scheduler/pods-listed failed: the pods were not listed yet\n"
            "[+]webhook/serves ok\n"
            "readyz check failed\n");
  listed = true;
  EXPECT_EQ(get("/readyz").status, 200);
  EXPECT_EQ(get("/readyz").body, "ok");
  for (const char* target : {"/readyz?verbose", "/readyz?verbose=1", "/readyz?a=b&verbose"})
    EXPECT_EQ(get(target).body,
              "[+]scheduler/pods-listed ok\n[+]webhook/serves ok\nreadyz check passed\n");
  EXPECT_EQ(get("/readyz?verbosely&x=verbose").body, "ok");

  listed = false;
  health.remove("scheduler/pods-listed");
  EXPECT_EQ(get("/readyz").status, 200) << "the checks of a removed role are ignored";
}

TEST_F(Endpoints, ARemarkIsShownInVerboseModeAndDoesNotAffectReadiness) {
  std::string text = "Slurm is away";
  health.add("scheduler", [] { return Result<void>(); });
  health.remark("slurm", [&] { return text; });
  EXPECT_EQ(get("/readyz").status, 200);
  EXPECT_EQ(get("/readyz").body, "ok");
  EXPECT_EQ(get("/readyz?verbose").body,
            "[+]scheduler ok\n[!]slurm: Slurm is away\nreadyz check passed\n");
  text.clear();
  EXPECT_EQ(get("/readyz?verbose").body, "[+]scheduler ok\nreadyz check passed\n");
}

TEST_F(Endpoints, WithoutChecksAProcessIsReady) {
  EXPECT_EQ(get("/readyz").status, 200);
}

TEST_F(Endpoints, OnlyGetAndHeadAreAllowed) {
  for (const char* target : {"/metrics", "/healthz", "/readyz"}) {
    EXPECT_EQ(get(target, "HEAD").status, 200) << target;
    EXPECT_EQ(get(target, "POST").status, 405) << target;
    EXPECT_EQ(get(target, "POST").header("Allow"), "GET, HEAD") << target;
  }
}

TEST_F(Endpoints, OtherPathsAreNotAnswered) {
  for (const char* target : {"/", "/metricsx", "/readyz/", "/healthz/x", "/?/metrics"})
    EXPECT_EQ(get(target).status, 0) << target;
}

TEST_F(Endpoints, AreServedByAnHttpServer) {
  net::testing::VirtualWorld world;
  net::HttpServer server(world.loop, serve({metrics_endpoint(metrics), health_endpoint(health)}));
  net::HttpClient client(world.loop,
                         std::make_unique<net::testing::MemoryConnector>(
                             world.loop, [&](auto stream) { server.serve(std::move(stream)); }),
                         {"x", "test"});
  const auto status = [&](const std::string& target) {
    const auto answer = world.run(client.send(Request("GET", target), world.loop.in(5s)));
    return answer.ok() ? answer->status : 0;
  };
  EXPECT_EQ(status("/metrics"), 200);
  EXPECT_EQ(status("/healthz"), 200);
  EXPECT_EQ(status("/readyz"), 200);
  EXPECT_EQ(status("/else"), 404);
  world.run(server.stop(world.loop.now()));
}

}  // namespace
}  // namespace telemetry
