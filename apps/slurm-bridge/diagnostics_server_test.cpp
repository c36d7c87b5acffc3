// SPDX-License-Identifier: Apache-2.0
#include "diagnostics_server.h"

#include "net/http/client.h"
#include "net/testing/loop.h"
#include "net/transport/connector.h"
#include "net/transport/proxy.h"
#include "net/transport/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace app {
namespace {

using net::http::Request;
using ::testing::AllOf;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

DiagnosticsSettings at(std::string metrics, std::string probes) {
  DiagnosticsSettings diagnostics;
  diagnostics.metrics_address = std::move(metrics);
  diagnostics.probe_address = std::move(probes);
  return diagnostics;
}

struct Diagnostics : ::testing::Test {
  // "port":N of the log line about this server.
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
  DiagnosticsServer diagnostics{world.loop, log};
};

TEST_F(Diagnostics, MetricsAndProbesAreServedEachAtItsOwnAddress) {
  ASSERT_TRUE(diagnostics.listen(at("127.0.0.1:0", "127.0.0.1:0")).ok());
  net::TaskGroup running(world.loop);
  running.spawn("diagnostics", diagnostics.run());
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

TEST_F(Diagnostics, ZeroMeansNowhere) {
  ASSERT_TRUE(diagnostics.listen(at("0", "0")).ok());
  EXPECT_TRUE(lines.empty());
}

TEST_F(Diagnostics, AnAddressThatCannotBeHadIsAnErrorThatNamesTheFlag) {
  ASSERT_TRUE(diagnostics.listen(at("127.0.0.1:0", "0")).ok());
  const std::string taken = "127.0.0.1:" + std::to_string(port_for("metrics"));
  DiagnosticsServer other(world.loop, log);
  const auto metrics = other.listen(at(taken, "0"));
  ASSERT_FALSE(metrics.ok());
  EXPECT_THAT(metrics.error().message(),
              AllOf(HasSubstr("--metrics-bind-address"), HasSubstr(taken)));
  const auto probes = other.listen(at("0", taken));
  ASSERT_FALSE(probes.ok());
  EXPECT_THAT(probes.error().message(), HasSubstr("--health-probe-bind-address"));
  const auto nonsense = other.listen(at("everywhere", "0"));
  ASSERT_FALSE(nonsense.ok());
  EXPECT_THAT(nonsense.error().message(), HasSubstr("--metrics-bind-address everywhere"));
}

TEST_F(Diagnostics, ACertificateThatCannotBeReadIsAnErrorThatNamesItsFile) {
  DiagnosticsSettings wanted = at("127.0.0.1:0", "0");
  wanted.metrics_secure = true;
  wanted.metrics_cert_path = "/nowhere";
  const auto listens = diagnostics.listen(wanted);
  ASSERT_FALSE(listens.ok());
  EXPECT_THAT(listens.error().message(), HasSubstr("/nowhere/tls.crt"));
}

TEST_F(Diagnostics, SecureMetricsWithoutACertificateAreServedWithOneOfOurOwn) {
  DiagnosticsSettings wanted = at("127.0.0.1:0", "0");
  wanted.metrics_secure = true;
  ASSERT_TRUE(diagnostics.listen(wanted).ok());
  net::TaskGroup running(world.loop);
  running.spawn("diagnostics", diagnostics.run());
  net::TlsOptions unverified;
  unverified.insecure = true;
  const net::Url url{true, "127.0.0.1", port_for("metrics"), ""};
  auto connector = net::make_connector(world.loop, url, unverified, {});
  ASSERT_TRUE(connector.ok()) << connector.error().message();
  net::HttpOptions options;
  options.authority = "127.0.0.1";
  net::HttpClient client(world.loop, *std::move(connector), options);
  const auto answer = world.run(client.send(Request("GET", "/metrics"), world.loop.in(10s)));
  ASSERT_TRUE(answer.ok()) << answer.error().to_string();
  EXPECT_THAT(answer->body, HasSubstr("process_resident_memory_bytes"));
  running.cancel();
  world.run(running.join());
}

TEST_F(Diagnostics, ProbesAreAnsweredWhereKubeSchedulerHasThemWithACertificateOfOurOwn) {
  DiagnosticsSettings wanted = at("0", "0");
  wanted.secure_address = "127.0.0.1:0";
  ASSERT_TRUE(diagnostics.listen(wanted).ok());
  net::TaskGroup running(world.loop);
  running.spawn("diagnostics", diagnostics.run());
  net::TlsOptions unverified;
  unverified.insecure = true;
  const net::Url url{true, "127.0.0.1", port_for("secure probes"), ""};
  auto connector = net::make_connector(world.loop, url, unverified, {});
  ASSERT_TRUE(connector.ok()) << connector.error().message();
  net::HttpOptions options;
  options.authority = "127.0.0.1";
  net::HttpClient client(world.loop, *std::move(connector), options);
  const auto answer = world.run(client.send(Request("GET", "/healthz"), world.loop.in(10s)));
  ASSERT_TRUE(answer.ok()) << answer.error().to_string();
  EXPECT_EQ(answer->body, "ok");
  const auto metrics = world.run(client.send(Request("GET", "/metrics"), world.loop.in(10s)));
  ASSERT_TRUE(metrics.ok()) << metrics.error().to_string();
  EXPECT_EQ(metrics->status, 404);
  running.cancel();
  world.run(running.join());
}

}  // namespace
}  // namespace app
