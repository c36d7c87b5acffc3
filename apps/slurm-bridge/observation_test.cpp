// SPDX-License-Identifier: Apache-2.0
#include "observation.h"

#include "net/connector.h"
#include "net/http_client.h"
#include "net/testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace app {
namespace {

using net::http::Request;
using ::testing::AllOf;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

struct Observing : ::testing::Test {
  // "port":N of the line that says so.
  std::uint16_t port_for(std::string_view what) {
    for (const std::string& line : lines) {
      if (!line.contains("\"for\":\"" + std::string(what))) continue;
      return static_cast<std::uint16_t>(std::stoi(line.substr(line.find("\"port\":") + 7)));
    }
    return 0;
  }

  std::string get(std::uint16_t port, const std::string& target) {
    net::HttpOptions options;
    options.authority = "127.0.0.1";
    net::HttpClient client(
        world.loop, std::make_unique<net::TcpConnector>(world.loop, "127.0.0.1", port), options);
    const auto answer = world.run(client.send(Request("GET", target), world.loop.in(10s)));
    return answer.ok() ? std::to_string(answer->status) + " " + answer->body
                       : answer.error().to_string();
  }

  net::testing::RealWorld world;
  std::vector<std::string> lines;
  base::Log log{[this](std::string_view line) { lines.emplace_back(line); },
                world.clock,
                base::LogFormat::json};
  Observation observation{world.loop, log};
};

TEST_F(Observing, MetricsAndProbesAreServedEachAtItsOwnAddress) {
  ASSERT_TRUE(observation.listen({"127.0.0.1:0", "127.0.0.1:0", false, ""}).ok());
  net::TaskGroup running(world.loop);
  running.spawn("observation", observation.run());
  const std::uint16_t metrics = port_for("metrics");
  const std::uint16_t probes = port_for("probes");
  EXPECT_THAT(get(metrics, "/metrics"),
              AllOf(HasSubstr("200 "),
                    HasSubstr("process_resident_memory_bytes"),
                    HasSubstr("event_loop_lag_seconds")));
  EXPECT_EQ(get(probes, "/healthz"), "200 ok");
  EXPECT_EQ(get(probes, "/readyz"), "200 ok");
  EXPECT_THAT(get(probes, "/metrics"), HasSubstr("404"));
  EXPECT_THAT(get(metrics, "/readyz"), HasSubstr("404"));
  running.cancel();
  world.run(running.join());
}

TEST_F(Observing, ZeroMeansNowhere) {
  ASSERT_TRUE(observation.listen({"0", "0", false, ""}).ok());
  EXPECT_TRUE(lines.empty());
}

TEST_F(Observing, AnAddressThatCannotBeHadIsAnErrorThatNamesTheFlag) {
  ASSERT_TRUE(observation.listen({"127.0.0.1:0", "0", false, ""}).ok());
  const std::string taken = "127.0.0.1:" + std::to_string(port_for("metrics"));
  Observation other(world.loop, log);
  const auto metrics = other.listen({taken, "0", false, ""});
  ASSERT_FALSE(metrics.ok());
  EXPECT_THAT(metrics.error().message(),
              AllOf(HasSubstr("--metrics-bind-address"), HasSubstr(taken)));
  const auto probes = other.listen({"0", taken, false, ""});
  ASSERT_FALSE(probes.ok());
  EXPECT_THAT(probes.error().message(), HasSubstr("--health-probe-bind-address"));
  const auto nonsense = other.listen({"everywhere", "0", false, ""});
  ASSERT_FALSE(nonsense.ok());
  EXPECT_THAT(nonsense.error().message(), HasSubstr("--metrics-bind-address everywhere"));
}

TEST_F(Observing, ACertificateThatCannotBeReadIsAnErrorThatNamesItsFile) {
  const auto listens = observation.listen({"127.0.0.1:0", "0", true, "/nowhere"});
  ASSERT_FALSE(listens.ok());
  EXPECT_THAT(listens.error().message(), HasSubstr("/nowhere/tls.crt"));
}

}  // namespace
}  // namespace app
