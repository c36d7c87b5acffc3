// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/slurm_programs.h"

#include "net/files/small_file.h"
#include "net/testing/loop.h"
#include "operator/agent/readyz.h"
#include "operator/agent/testing_programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <string>

namespace slurmop::agent {
namespace {

namespace fs = std::filesystem;
using base::Kind;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::TestFolder;
using testing::TestPrograms;
using Outcome = Verdict::Outcome;
using namespace std::chrono_literals;

const Configuration kConfiguration{"abc",
                                   {{"slurm.conf",
                                     "ClusterName=a\n"
                                     "SlurmctldHost=controller-0(svc)\n"
                                     "MaxJobCount=x\n"},
                                    {"topology.conf", "#\n"}}};

struct SlurmProgramsTest : ::testing::Test {
  SlurmProgramsTest() {
    programs.scontrol(testing::kContentScontrol);
    programs.slurmctld(testing::kReadySlurmctld);
  }

  SlurmPrograms& slurm() {
    if (!made) {
      made = SlurmPrograms::make(world.loop,
                                 {.programs = programs.programs(),
                                  .work_folder = work.path(),
                                  .active_folder = "/etc/slurm",
                                  .host = "controller-0",
                                  .parser_limit = parser_limit,
                                  .slurmctld_limit = slurmctld_limit})
                 .value();
    }
    return *made;
  }
  Verdict check() { return world.run(slurm().check(kConfiguration)); }
  std::string noted(std::string_view name) const {
    const auto text = net::read_small_file(programs.folder() / name);
    return text.ok() ? *text : "";
  }

  net::testing::RealWorld world;
  TestPrograms programs;
  TestFolder work;
  base::Duration parser_limit = 60s;
  base::Duration slurmctld_limit = 60s;
  std::unique_ptr<SlurmPrograms> made;
};

TEST_F(SlurmProgramsTest, AConfigurationIsValidWhenASlurmctldIsReadyWithIt) {
  EXPECT_EQ(check(), Verdict{});
}

TEST_F(SlurmProgramsTest, EachStageGetsItsFiles) {
  programs.scontrol(
      "#!/bin/sh\ncat \"$SLURM_CONF\" >\"${0%/*}/parsed\"; ls \"${SLURM_CONF%/*}\" "
      ">>\"${0%/*}/parsed\"\n");
  programs.slurmctld(
      "#!/bin/sh\ncat \"$SLURM_CONF\" >\"${0%/*}/started\"; echo \"$@\" >>\"${0%/*}/started\"; "
      "exit 3\n");
  EXPECT_EQ(check().outcome, Outcome::invalid);
  EXPECT_EQ(noted("parsed"), kConfiguration.files.at("slurm.conf") + "slurm.conf\ntopology.conf\n");
  EXPECT_THAT(noted("started"), HasSubstr("SlurmctldHost=controller-0(127.0.0.1)\n"));
  EXPECT_THAT(noted("started"), HasSubstr("-D -c\n"));
}

TEST_F(SlurmProgramsTest, AConfigurationThatTheParserRejectsIsInvalid) {
  programs.scontrol(
      "#!/bin/sh\necho 'scontrol: error: MaxJobCount value \"x\" is not a valid number' >&2; exit "
      "1\n");
  programs.slurmctld("#!/bin/sh\ntouch \"${0%/*}/started\"\n");
  EXPECT_EQ(check(),
            (Verdict{Outcome::invalid,
                     "slurm.conf line 3: MaxJobCount value \"x\" is not a valid number"}));
  EXPECT_FALSE(fs::exists(programs.folder() / "started"));
}

TEST_F(SlurmProgramsTest, AConfigurationThatEndsSlurmctldIsInvalid) {
  programs.slurmctld("#!/bin/sh\necho \"slurmctld: fatal: cannot use $SLURM_CONF\" >&2; exit 1\n");
  EXPECT_EQ(check(), (Verdict{Outcome::invalid, "cannot use /etc/slurm/slurm.conf"}));
}

TEST_F(SlurmProgramsTest, WhatTheMachineCausesIsNotInvalid) {
  struct Row {
    std::string_view cause;
    std::string_view script;
    std::string_view message;
  };
  const Row rows[] = {
      {"the port is in use",
       "#!/bin/sh\necho 'slurmctld: fatal: bind: Address already in use'; exit 1\n",
       "not checked: bind: Address already in use"},
      {"killed for its memory", "#!/bin/sh\nkill -KILL $$\n", "not checked: "},
      {"ended by somebody", "#!/bin/sh\nkill -TERM $$\n", "not checked: "},
      {"not a program", "no script\n", "not checked: "},
      {"ended too early", "#!/bin/sh\nexit 0\n", "not checked: slurmctld ended before"},
  };
  for (const Row& row : rows) {
    programs.slurmctld(row.script);
    if (row.cause == "not a program") {
      fs::permissions(programs.folder() / "slurmctld", fs::perms(0600));
    }
    const Verdict verdict = check();
    EXPECT_EQ(verdict.outcome, Outcome::unchecked) << row.cause << ": " << verdict.message;
    EXPECT_THAT(verdict.message, HasSubstr(std::string(row.message))) << row.cause;
  }
}

TEST_F(SlurmProgramsTest, AMissingProgramIsNotInvalid) {
  fs::remove(programs.folder() / "scontrol");
  const Verdict verdict = check();
  EXPECT_EQ(verdict.outcome, Outcome::unchecked);
  EXPECT_THAT(verdict.message, HasSubstr("scontrol"));
}

TEST_F(SlurmProgramsTest, AParserThatHangsIsEnded) {
  parser_limit = 300ms;
  programs.scontrol("#!/bin/sh\nsleep 1000\n");
  EXPECT_EQ(check(),
            (Verdict{Outcome::unchecked, "not checked: Slurm's parser did not end within 300 ms"}));
}

TEST_F(SlurmProgramsTest, ASlurmctldThatIsNotReadyInTimeIsEnded) {
  slurmctld_limit = 1s;
  programs.slurmctld(
      "#!/bin/sh\necho \"slurmctld: error: Still don't know my ClusterID\"; echo $$ "
      ">\"${0%/*}/pid\"; "
      "exec sleep 1000\n");
  EXPECT_EQ(
      check(),
      (Verdict{Outcome::unchecked,
               "not checked: slurmctld was not ready within 1 s: Still don't know my ClusterID"}));
  const pid_t pid = std::stoi(noted("pid"));
  for (int i = 0; i < 500 && ::kill(pid, 0) == 0; ++i) (void)world.run(world.loop.sleep_for(10ms));
  EXPECT_NE(::kill(pid, 0), 0) << "it still runs";
}

TEST_F(SlurmProgramsTest, NothingIsLeftOver) {
  EXPECT_EQ(check(), Verdict{});
  EXPECT_EQ(check(), Verdict{});
  made.reset();
  EXPECT_TRUE(fs::is_empty(work.path()));
}

TEST_F(SlurmProgramsTest, ReconfigureReachesTheSlurmctldOfThisMachine) {
  programs.scontrol(
      "#!/bin/sh\ncat \"$SLURM_CONF\" >\"${0%/*}/asked\"; echo \"$@\" >>\"${0%/*}/asked\"\n");
  EXPECT_TRUE(world.run(slurm().reconfigure(kConfiguration)).ok());
  EXPECT_THAT(noted("asked"), HasSubstr("SlurmctldHost=controller-0(127.0.0.1)\n"));
  EXPECT_THAT(noted("asked"), Not(HasSubstr("svc")));
  EXPECT_THAT(noted("asked"), HasSubstr("\nreconfigure\n"));
  programs.scontrol("#!/bin/sh\necho 'scontrol: error: Access denied'; exit 1\n");
  const auto refused = world.run(slurm().reconfigure(kConfiguration));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message(), "scontrol reconfigure: Access denied");
}

TEST_F(SlurmProgramsTest, ReconfigureHasATokenOfSlurmUser) {
  programs.scontrol("#!/bin/sh\nprintf %s \"${SLURM_JWT-none}\" >\"${0%/*}/token\"\n");
  EXPECT_TRUE(world.run(slurm().reconfigure(kConfiguration)).ok());
  EXPECT_EQ(noted("token"), "none") << "the configuration names no key";
  Configuration active = kConfiguration;
  active.files["slurm.conf"] += "AuthAltParameters=jwt_key=" + (work / "jwt.key") + "\n";
  EXPECT_TRUE(world.run(slurm().reconfigure(active)).ok());
  EXPECT_EQ(noted("token"), "none") << "the key does not exist";
  work.write("jwt.key", "0123456789");
  EXPECT_TRUE(world.run(slurm().reconfigure(active)).ok());
  EXPECT_THAT(noted("token"), ::testing::StartsWith("eyJ"));
}

TEST_F(SlurmProgramsTest, ReadinessOfAPortWithoutListenerIsUnreachable) {
  const auto port = free_port(world.loop);
  ASSERT_TRUE(port.ok());
  Configuration active = kConfiguration;
  active.files["slurm.conf"] += "SlurmctldPort=" + std::to_string(*port) + "\n";
  EXPECT_EQ(world.run(slurm().readiness(active)), Readiness::unreachable);
}

}  // namespace
}  // namespace slurmop::agent
