// SPDX-License-Identifier: Apache-2.0
#include "net/process/child.h"

#include "net/async/signal.h"
#include "net/testing/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace net::inline process {
namespace {

using base::Kind;
using base::Result;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

// Neither ended nor a zombie that waits for its parent.
bool is_running(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string number;
  std::string name;
  std::string state;
  return (in >> number >> name >> state) && state != "Z";
}

struct ChildTest : ::testing::Test {
  // Runs a script to its end; an error of start() is returned unchanged.
  Result<Finished> run(std::string script, base::Duration at_most = 20s, std::size_t most = 1000) {
    return run_command({.argv = {"/bin/sh", "-c", std::move(script)},
                        .environment = environment(),
                        .at_most = at_most,
                        .output_limit = most});
  }
  Result<Finished> run_command(Command command) {
    std::optional<Result<Finished>> result;
    Signal ended(world.loop);
    auto child = Child::start(world.loop, std::move(command), [&](Result<Finished> how) {
      result = std::move(how);
      ended.notify();
    });
    if (!child.ok()) return std::move(child).error();
    (void)world.run(ended.wait_until(world.loop.in(60s)));
    if (!result) return base::Error(Kind::internal, "the child was never reported");
    return std::move(*result);
  }

  testing::RealWorld world;
};

TEST_F(ChildTest, ReportsOutputAndExitStatus) {
  const auto finished = run("echo out; echo first >&2; echo last >&2; exit 3");
  ASSERT_TRUE(finished.ok()) << finished.error().message();
  EXPECT_EQ(finished->code, 3);
  EXPECT_EQ(finished->output, "out\n");
  EXPECT_EQ(finished->stderr_tail, "last");
}

TEST_F(ChildTest, GetsOnlyItsArgumentsAndEnvironment) {
  const auto finished =
      run_command({.argv = {"/bin/sh", "-c", "echo \"$1|$A|$HOME\"; cat", "sh", "x y"},
                   .environment = {"A=b c"}});
  ASSERT_TRUE(finished.ok());
  EXPECT_EQ(finished->output, "x y|b c|\n") << "its input is empty";
}

TEST_F(ChildTest, ALargeOutputIsComplete) {
  const auto finished = run("head -c 900000 /dev/zero | tr '\\0' x", 20s, 1'000'000);
  ASSERT_TRUE(finished.ok());
  EXPECT_EQ(finished->output, std::string(900'000, 'x'));
}

TEST_F(ChildTest, TooMuchOutputKillsIt) {
  const auto finished = run("yes", 20s, 5000);
  ASSERT_FALSE(finished.ok());
  EXPECT_TRUE(finished.error().is(Kind::unavailable));
  EXPECT_EQ(finished.error().message(), "/bin/sh wrote more than 5000 bytes");
}

TEST_F(ChildTest, MuchOutputOnStandardErrorIsAllowed) {
  const auto finished = run("yes noise | head -n 100000 >&2; echo the end >&2");
  ASSERT_TRUE(finished.ok());
  EXPECT_EQ(finished->stderr_tail, "the end");
}

TEST_F(ChildTest, ATimeoutKillsTheWholeProcessGroup) {
  std::string pattern = (std::filesystem::temp_directory_path() / "sb-child-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(pattern.data());
  // On a busy machine the shell may need longer than the first limit to start its child.
  int grandchild = 0;
  for (const base::Duration limit : {500ms, 5000ms, 30000ms}) {
    const auto finished =
        run("sleep 1000 & echo $! >" + (folder / "pid").string() + "; wait", limit);
    ASSERT_FALSE(finished.ok());
    EXPECT_THAT(finished.error().message(), HasSubstr("/bin/sh did not finish within "));
    if (limit == 500ms) EXPECT_THAT(finished.error().message(), HasSubstr("within 500 ms"));
    if (std::ifstream(folder / "pid") >> grandchild) break;
  }
  ASSERT_GT(grandchild, 0);
  for (int i = 0; i < 3000 && is_running(grandchild); ++i) ::usleep(10'000);
  EXPECT_FALSE(is_running(grandchild));
  std::filesystem::remove_all(folder);
}

TEST_F(ChildTest, AGrandchildThatHoldsThePipeIsNotWaitedFor) {
  const auto finished = run("sleep 1000 & echo $!");
  ASSERT_TRUE(finished.ok());
  const pid_t grandchild = std::stoi(finished->output);
  EXPECT_EQ(::kill(grandchild, 0), 0) << "it keeps running, as in a shell";
  ::kill(grandchild, SIGKILL);
}

TEST_F(ChildTest, AGrandchildThatContinuesToWriteDoesNotBlockTheLoop) {
  const auto finished = run("yes >&2 & yes >&2 & echo done");
  ASSERT_TRUE(finished.ok());
  EXPECT_EQ(finished->output, "done\n");  // the grandchildren end by SIGPIPE
}

TEST_F(ChildTest, ADeathBySignalIsReported) {
  EXPECT_EQ(run("kill -TERM $$")->code, 128 + SIGTERM);
}

TEST_F(ChildTest, SignalsIgnoredByTheParentAreNotIgnoredByTheChild) {
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  const auto finished = run("trap; kill -PIPE $$; echo survived");
  ::signal(SIGPIPE, before);
  ASSERT_TRUE(finished.ok());
  EXPECT_EQ(finished->code, 128 + SIGPIPE);
}

TEST_F(ChildTest, AMissingProgramIsNotFound) {
  const auto missing = run_command({.argv = {"no-such-program-anywhere"}, .environment = {}});
  ASSERT_FALSE(missing.ok());
  EXPECT_TRUE(missing.error().is(Kind::not_found));
  EXPECT_THAT(missing.error().message(), HasSubstr("no-such-program-anywhere"));
  const auto folder = run_command({.argv = {"/tmp"}, .environment = {}});
  ASSERT_FALSE(folder.ok());
  EXPECT_TRUE(folder.error().is(Kind::invalid));
  EXPECT_FALSE(run_command({.argv = {}, .environment = {}}).ok());
}

TEST_F(ChildTest, ADestroyedChildIsKilledReapedAndNotReported) {
  bool reported = false;
  auto child = Child::start(world.loop,
                            {.argv = {"/bin/sleep", "1000"}, .environment = {}},
                            [&](const Result<Finished>&) { reported = true; });
  ASSERT_TRUE(child.ok());
  child->reset();
  world.loop.run();  // until nothing is left: its end was handled
  EXPECT_FALSE(reported);
  errno = 0;
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace net::inline process
