// SPDX-License-Identifier: Apache-2.0
// The whole agent, on real time with scripts in the place of Slurm's programs.
#include "operator/agent/agent.h"

#include "base/flags.h"
#include "net/files/small_file.h"
#include "net/http/client.h"
#include "net/testing/loop.h"
#include "operator/agent/readyz.h"
#include "operator/agent/report.h"
#include "operator/agent/testing_programs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <memory>
#include <thread>

namespace slurmop::agent {
namespace {

using base::Result;
using net::http::Request;
using net::http::Response;
using ::testing::HasSubstr;
using testing::TestFolder;
using testing::TestPrograms;
using namespace std::chrono_literals;

struct AgentTest : ::testing::Test {
  AgentTest() {
    programs.scontrol(
        "#!/bin/sh\n"
        "if grep -q Bad \"$SLURM_CONF\"; then\n"
        "  echo 'scontrol: error: _parse_next_key: Parsing error at unrecognized key: Bad'; exit "
        "1\n"
        "fi\n");
    programs.slurmctld(testing::kReadySlurmctld);
    const auto free = free_port(world.loop);
    port = free.ok() ? *free : 0;
    options = {.candidate = candidate.path(),
               .active = root / "active",
               .saved = root / "saved",
               .listen = fmt::format("127.0.0.1:{}", port),
               .work_folder = root.path(),
               .programs = programs.programs(),
               .log_level = base::LogLevel::error};
  }

  net::Task<Result<Response>> get(std::string target) {
    net::HttpOptions http;
    http.authority = "agent";
    net::HttpClient client(
        world.loop, std::make_unique<net::TcpConnector>(world.loop, "127.0.0.1", port), http);
    Request request("GET", std::move(target));
    co_return co_await client.send(std::move(request), world.loop.in(5s));
  }

  // Waits until the report fulfils the condition; the last report if it never does.
  template <class Condition>
  net::Task<Report> wait_for(Condition condition) {
    Report last;
    const base::Instant end = world.loop.in(60s);
    while (world.loop.now() < end) {
      const auto answer = co_await get("/status");
      if (answer.ok()) {
        const auto report = decode_report(answer->body);
        if (report.ok()) last = *report;
        if (condition(last)) co_return last;
      }
      (void)co_await world.loop.sleep_for(50ms);
    }
    co_return last;
  }

  net::testing::RealWorld world;
  TestFolder candidate;
  TestFolder root;
  TestPrograms programs;
  std::uint16_t port = 0;
  AgentOptions options;
};

TEST_F(AgentTest, ServesItsStateUntilItIsStopped) {
  const std::string conf = fmt::format("ClusterName=a\nSlurmctldPort={}\n", port);  // never ready
  candidate.publish({"one", {{"slurm.conf", conf}}});
  int code = -1;
  std::thread agent([&] { code = run_config_agent(options); });
  const Report first =
      world.run(wait_for([](const Report& report) { return report.active == "one"; }));
  EXPECT_EQ(first.active, "one");
  EXPECT_EQ(first.error, "");
  EXPECT_EQ(world.run(get("/healthz"))->status, 200);
  EXPECT_EQ(*net::read_small_file(root / "active/slurm.conf"), conf);

  candidate.publish({"two", {{"slurm.conf", conf + "Bad=1\n"}}});
  const Report second =
      world.run(wait_for([](const Report& report) { return !report.error.empty(); }));
  EXPECT_EQ(second.seen, "two");
  EXPECT_EQ(second.active, "one");
  EXPECT_EQ(second.error, "slurm.conf line 3: unrecognized key: Bad");

  ::kill(::getpid(), SIGTERM);
  agent.join();
  EXPECT_EQ(code, 0);
}

TEST_F(AgentTest, DoesNotStartWithoutItsAddress) {
  options.listen = "nonsense";
  EXPECT_EQ(run_config_agent(options), 1);
  options.listen = "127.0.0.1:0";
  options.work_folder = root / "none";
  EXPECT_EQ(run_config_agent(options), 1);
}

TEST(AgentFlags, SetTheOptions) {
  AgentOptions options;
  base::Flags flags("slurm-operator config-agent", "Checks and activates the configuration.");
  add_flags(flags, options);
  const std::string_view arguments[] = {"--candidate",
                                        "/c",
                                        "--active=/a",
                                        "--saved",
                                        "/s",
                                        "--listen",
                                        ":1",
                                        "--log-format=human",
                                        "--log-level",
                                        "debug"};
  ASSERT_TRUE(flags.parse(arguments).ok());
  EXPECT_EQ(options.candidate, "/c");
  EXPECT_EQ(options.active, "/a");
  EXPECT_EQ(options.saved, "/s");
  EXPECT_EQ(options.listen, ":1");
  EXPECT_EQ(options.log_format, base::LogFormat::human);
  EXPECT_EQ(options.log_level, base::LogLevel::debug);
  const std::string_view wrong[] = {"--candidat=/c"};
  EXPECT_THAT(flags.parse(wrong).error().message(), HasSubstr("candidate"));
}

}  // namespace
}  // namespace slurmop::agent
