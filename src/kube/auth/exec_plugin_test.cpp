// SPDX-License-Identifier: Apache-2.0
#include "kube/auth/exec_plugin.h"

#include "base/rfc3339.h"
#include "kube/client/client.h"
#include "net/testing/loop.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace kube::inline auth {
namespace {

using base::Kind;
using base::Result;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

// A real program, with a clock that the test advances.
class PushedClock final : public base::Clock {
 public:
  base::Instant now() const override { return real_.now() + ahead; }
  base::WallTime wall() const override {
    return real_.wall() + std::chrono::duration_cast<base::WallTime::duration>(ahead);
  }
  base::Duration ahead{};

 private:
  base::RealClock real_;
};

struct ExecPluginTest : ::testing::Test {
  ExecPluginTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sb-exec-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  ~ExecPluginTest() override { std::filesystem::remove_all(folder); }

  ExecSpec script(std::string body) const {
    std::ofstream(folder / "plugin") << "#!/bin/sh\n" << body << "\n";
    std::filesystem::permissions(folder / "plugin", std::filesystem::perms::owner_all);
    return {.api_version = std::string(kExecV1), .command = folder / "plugin"};
  }
  // Its token is the number of the run.
  ExecSpec counting(std::string more = "", std::string before = "") const {
    return script(fmt::format(
        R"(echo x >>{0}/runs; {2}
n=$(wc -l <{0}/runs)
echo '{{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{{"token":"t'"$n"'"{1}}}}}')",
        folder.string(),
        more,
        before));
  }
  std::string token(ExecPlugin& plugin, base::Duration within = 20s) {
    auto credential = world.run(plugin.credential(world.loop.in(within)));
    if (!credential.ok()) return credential.error().to_string();
    return std::string((*credential)->token->reveal());
  }

  std::filesystem::path folder;
  net::testing::World<PushedClock> world;
};

TEST_F(ExecPluginTest, ItsAnswerIsKeptUntilTheServerRejectsIt) {
  ExecPlugin plugin(world.loop, counting());
  EXPECT_EQ(token(plugin), "t1");
  EXPECT_EQ(token(plugin), "t1");
  plugin.refused();
  EXPECT_EQ(token(plugin), "t1") << "not again within kPause, even after a rejection";
  world.clock.ahead += ExecPlugin::kPause;
  EXPECT_EQ(token(plugin), "t1");
  plugin.refused();
  EXPECT_EQ(token(plugin), "t2");
}

TEST_F(ExecPluginTest, ItRunsAgainShortlyBeforeItsAnswerExpires) {
  const std::string in_an_hour = base::format_rfc3339(world.clock.wall() + 1h);
  ExecPlugin plugin(world.loop,
                    counting(fmt::format(R"(,"expirationTimestamp":"{}")", in_an_hour)));
  EXPECT_EQ(token(plugin), "t1");
  world.clock.ahead += 58min;
  EXPECT_EQ(token(plugin), "t1");
  world.clock.ahead += 100s;
  EXPECT_EQ(token(plugin), "t2");
}

TEST_F(ExecPluginTest, AnExpiredAnswerDoesNotCauseABusyLoop) {
  ExecPlugin plugin(world.loop, counting(R"(,"expirationTimestamp":"2001-01-01T00:00:00Z")"));
  EXPECT_EQ(token(plugin), "t1");
  EXPECT_EQ(token(plugin), "t1");
  world.clock.ahead += ExecPlugin::kPause;
  EXPECT_EQ(token(plugin), "t2");
}

TEST_F(ExecPluginTest, ConcurrentCallersShareOneRun) {
  ExecPlugin plugin(world.loop, counting());
  int answered = 0;
  for (int i = 0; i < 5; ++i) {
    world.tasks.spawn("one of many", [&]() -> net::Task<void> {
      auto credential = co_await plugin.credential(world.loop.in(20s));
      if (credential.ok() && (*credential)->token->reveal() == "t1") ++answered;
    });
  }
  EXPECT_EQ(token(plugin), "t1");
  (void)world.run(world.loop.sleep_for(1ms));
  EXPECT_EQ(answered, 5);
  EXPECT_EQ(plugin.runs(), 1U);
}

TEST_F(ExecPluginTest, ARunContinuesAfterTheDeadlineOfItsCaller) {
  ExecPlugin plugin(
      world.loop,
      counting("", fmt::format("while ! [ -e {}/go ]; do sleep 0.01; done", folder.string())));
  EXPECT_THAT(token(plugin, 10ms), HasSubstr("unreachable: the exec plugin"));
  std::ofstream(folder / "go").close();
  EXPECT_EQ(token(plugin), "t1");
  EXPECT_EQ(plugin.runs(), 1U);
}

TEST_F(ExecPluginTest, AFailureShowsTheLastLineOfStderr) {
  ExecPlugin plugin(world.loop, script("echo noise >&2; echo please log in >&2; exit 3"));
  EXPECT_EQ(token(plugin),
            fmt::format("unauthorized: exec plugin {}/plugin: exit code 3: please log in",
                        folder.string()));
  EXPECT_THAT(token(plugin), HasSubstr("please log in"));
  EXPECT_EQ(plugin.runs(), 1U) << "a plugin that fails is not started for every call";
  world.clock.ahead += ExecPlugin::kPause;
  EXPECT_THAT(token(plugin), HasSubstr("please log in"));
  EXPECT_EQ(plugin.runs(), 2U);
}

TEST_F(ExecPluginTest, AMissingProgramShowsHowToInstallIt) {
  ExecSpec spec{.api_version = std::string(kExecV1), .command = folder / "none"};
  spec.install_hint = "apt-get install none";
  ExecPlugin plugin(world.loop, spec);
  EXPECT_THAT(token(plugin), HasSubstr("No such file or directory\napt-get install none"));
}

TEST_F(ExecPluginTest, ItGetsItsArgumentsItsEnvironmentAndTheInfo) {
  ExecSpec spec = script(fmt::format(
      R"(echo "$1|$2|$A|$HOME|$KUBERNETES_EXEC_INFO" >{}/seen; exit 1)", folder.string()));
  spec.args = {"x y", "$z"};
  spec.environment = {"A=1", "HOME=elsewhere"};
  ExecPlugin plugin(world.loop, spec);
  (void)token(plugin);
  std::ifstream in(folder / "seen");
  std::string seen;
  std::getline(in, seen);
  EXPECT_EQ(seen, "x y|$z|1|elsewhere|" + exec_info(spec));
}

TEST_F(ExecPluginTest, AnAnswerThatIsTooLongIsAnError) {
  ExecPlugin plugin(world.loop, script("yes"));
  EXPECT_THAT(token(plugin), HasSubstr("wrote more than 1048576 bytes"));
}

TEST_F(ExecPluginTest, DestroyingItKillsTheRunningPlugin) {
  auto plugin = std::make_unique<ExecPlugin>(world.loop, script("sleep 1000"));
  EXPECT_THAT(token(*plugin, 10ms), HasSubstr("has not answered yet"));
  plugin.reset();
  world.loop.run();  // returns: nothing is left to run
}

}  // namespace
}  // namespace kube::inline auth
