// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/running_program.h"

#include "net/testing/loop.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace slurmop::agent {
namespace {

using base::Kind;
using net::testing::RealWorld;
using namespace std::chrono_literals;

net::Command script(std::string text) {
  return {.argv = {"/bin/sh", "-c", std::move(text)}, .environment = net::environment()};
}

TEST(RunningProgram, IsWaitedFor) {
  RealWorld world;
  const auto finished = world.run(run_program(world.loop, script("echo hello; exit 3")));
  ASSERT_TRUE(finished.ok());
  EXPECT_EQ(finished->code, 3);
  EXPECT_EQ(finished->output, "hello\n");
  const auto missing =
      world.run(run_program(world.loop, {.argv = {"/no/such/program"}, .environment = {}}));
  ASSERT_FALSE(missing.ok());
  EXPECT_TRUE(missing.error().is(Kind::not_found));
}

TEST(RunningProgram, CanBeWaitedForInSteps) {
  RealWorld world;
  RunningProgram program(world.loop);
  ASSERT_TRUE(program.start(script("sleep 1000")).ok());
  const auto ended = world.run(program.wait_until(world.loop.in(50ms)));
  ASSERT_TRUE(ended.ok());
  EXPECT_FALSE(*ended);
  EXPECT_FALSE(program.outcome().has_value());
}

// Whether this process has a child, running or ended.
bool has_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

TEST(RunningProgram, DescendantsThatOutlivedItAreReaped) {
  RealWorld world;
  ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);  // as the first process of a container
  ASSERT_TRUE(world.run(run_program(world.loop, script("sleep 0.05 & exit 0"))).ok());
  {
    const RunningProgram other(world.loop);
    (void)world.run(world.loop.sleep_for(200ms));
    reap_orphans();
    EXPECT_TRUE(has_children()) << "it could be a child of the other program";
  }
  for (int i = 0; i < 1000 && has_children(); ++i) {
    reap_orphans();
    (void)world.run(world.loop.sleep_for(10ms));
  }
  EXPECT_FALSE(has_children());
  (void)::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

}  // namespace
}  // namespace slurmop::agent
