// SPDX-License-Identifier: Apache-2.0
#include "telemetry/listeners.h"

#include "net/http/client.h"
#include "net/testing/loop.h"
#include "net/transport/connector.h"
#include "telemetry/endpoints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace telemetry {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

struct ListenersTest : ::testing::Test {
  // Of the line that the log has for this listener; 0 if there is none.
  std::uint16_t port_for(std::string_view what) const {
    for (const std::string& line : lines) {
      if (line.contains("\"for\":\"" + std::string(what)))
        return static_cast<std::uint16_t>(std::stoi(line.substr(line.find("\"port\":") + 7)));
    }
    return 0;
  }
  net::http::Handler probes() { return serve({health_endpoint(health)}); }

  net::testing::RealWorld world;
  std::vector<std::string> lines;
  base::Log log{[this](std::string_view line) { lines.emplace_back(line); },
                world.clock,
                base::LogFormat::json};
  Health health;
  Listeners listeners{world.loop, log};
};

TEST_F(ListenersTest, EachIsAnsweredAtItsAddressUntilTheEnd) {
  ASSERT_TRUE(listeners.open("probes", "127.0.0.1:0", probes()).ok());
  net::TaskGroup running(world.loop);
  running.spawn("listeners", listeners.run());
  net::HttpOptions options;
  options.authority = "127.0.0.1";
  net::HttpClient client(
      world.loop,
      std::make_unique<net::TcpConnector>(world.loop, "127.0.0.1", port_for("probes")),
      options);
  const auto answer =
      world.run(client.send(net::http::Request("GET", "/healthz"), world.loop.in(10s)));
  ASSERT_TRUE(answer.ok()) << answer.error().to_string();
  EXPECT_EQ(answer->status, 200);
  running.cancel();
  world.run(running.join());
}

TEST_F(ListenersTest, ZeroAndNothingAreNoAddress) {
  EXPECT_TRUE(listeners.open("probes", "0", probes()).ok());
  EXPECT_TRUE(listeners.open("probes", "", probes()).ok());
  EXPECT_TRUE(lines.empty());
}

TEST_F(ListenersTest, AnAddressThatIsTakenIsAnErrorAtOnce) {
  ASSERT_TRUE(listeners.open("probes", "127.0.0.1:0", probes()).ok());
  const std::string taken = "127.0.0.1:" + std::to_string(port_for("probes"));
  EXPECT_FALSE(listeners.open("metrics", taken, probes()).ok());
}

TEST_F(ListenersTest, ACertificateThatCannotBeReadIsAnErrorThatNamesItsFile) {
  const auto opened = listeners.open("metrics",
                                     "127.0.0.1:0",
                                     probes(),
                                     ListenerTls{"test", {"/nowhere/tls.crt", "/nowhere/tls.key"}});
  ASSERT_FALSE(opened.ok());
  EXPECT_THAT(opened.error().message(), HasSubstr("/nowhere/tls.crt"));
}

}  // namespace
}  // namespace telemetry
