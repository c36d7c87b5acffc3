// SPDX-License-Identifier: Apache-2.0
// The agent's checks with the real scontrol and slurmctld. Skipped where Slurm is not unpacked.
#include "net/files/small_file.h"
#include "net/testing/loop.h"
#include "operator/agent/edited_conf.h"
#include "operator/agent/keeper.h"
#include "operator/agent/log_tail.h"
#include "operator/agent/readyz.h"
#include "operator/agent/running_program.h"
#include "operator/agent/slurm_programs.h"
#include "operator/agent/testing_real_slurm.h"
#include "source_tree.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <unistd.h>

namespace slurmop::agent {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::RealSlurm;
using Outcome = Verdict::Outcome;
using namespace std::chrono_literals;

void replace(std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

// One check is 0.2 to 1 s on an idle machine; a loaded one needs much longer.
constexpr base::Duration kPatience = 120s;

struct RealSlurmTest : ::testing::Test {
  void SetUp() override {
    if (const std::string missing = RealSlurm::missing(); !missing.empty()) GTEST_SKIP() << missing;
    real = std::make_unique<RealSlurm>();
    slurm = SlurmPrograms::make(world.loop,
                                {.programs = real->programs(),
                                 .work_folder = real->folder() / "work",
                                 .active_folder = real->folder() / "active",
                                 .host = "ctl",
                                 .parser_limit = kPatience,
                                 .slurmctld_limit = kPatience})
                .value();
    conf = *net::read_small_file(in_source_tree("tests/golden/operator/conf/small/slurm.conf"));
    replace(conf, "SlurmUser=slurm", fmt::format("SlurmUser={}", RealSlurm::kSlurmUser));
    replace(conf, "/etc/slurm-keys", real->folder() / "keys");
  }

  Configuration with(const std::string& more) const { return named("abc", conf + more); }
  static Configuration named(std::string hash, std::string text) {
    return {std::move(hash),
            {{"slurm.conf", std::move(text)}, {"cgroup.conf", "CgroupPlugin=disabled\n"}}};
  }
  Verdict check(const Configuration& configuration) {
    return world.run(slurm->check(configuration));
  }
  void expect_valid(const Configuration& configuration) {
    const Verdict verdict = check(configuration);
    EXPECT_EQ(verdict.outcome, Outcome::valid) << verdict.message;
  }
  void expect_invalid(const Configuration& configuration, const std::string& message) {
    const Verdict verdict = check(configuration);
    EXPECT_EQ(verdict.outcome, Outcome::invalid) << verdict.message;
    EXPECT_THAT(verdict.message, HasSubstr(message));
  }

  net::testing::RealWorld world;
  std::unique_ptr<RealSlurm> real;
  std::unique_ptr<SlurmPrograms> slurm;
  std::string conf;
};

TEST_F(RealSlurmTest, AcceptsWhatTheOperatorWrites) {
  expect_valid(with(""));
}

TEST_F(RealSlurmTest, NeedsNoDatabaseAndStartsNoProgram) {
  replace(conf, "AccountingStorageType=accounting_storage/none\n", "");
  expect_valid(
      with("AccountingStorageType=accounting_storage/slurmdbd\n"
           "AccountingStorageHost=nowhere.invalid\n"
           "AccountingStorageTRES=gres/gpu\n"
           "AccountingStorageEnforce=associations,limits,qos\n"
           "GresTypes=gpu\n"
           "TrackWCKey=yes\n"
           "PriorityType=priority/multifactor\n"
           "PriorityWeightFairshare=1000\n"
           "PriorityWeightQOS=1000\n"
           "PriorityWeightTRES=CPU=1,GRES/gpu=2\n"
           "PreemptType=preempt/qos\n"
           "PreemptMode=REQUEUE\n"
           "PartitionName=q Nodes=worker QOS=part AllowQOS=a AllowAccounts=b\n"
           "CommunicationParameters=disable_http\n"
           "JobCompType=jobcomp/filetxt\n"
           "JobCompLoc=/nowhere/jobs\n"
           "SlurmctldPrimaryOnProg=/nowhere/on\n"));
}

TEST_F(RealSlurmTest, NamesTheLineThatTheParserRejects) {
  const std::size_t lines = static_cast<std::size_t>(std::ranges::count(conf, '\n'));
  expect_invalid(with("NoSuchKey=1\n"),
                 fmt::format("slurm.conf line {}: unrecognized key: NoSuchKey", lines + 1));
  expect_invalid(with("}\n"), fmt::format("slurm.conf line {}: \"}}\"", lines + 1));
  expect_invalid(with("MaxJobCount=many\n"),
                 fmt::format("slurm.conf line {}: MaxJobCount value (many)", lines + 1));
}

TEST_F(RealSlurmTest, FindsWhatOnlyAStartedSlurmctldReports) {
  expect_invalid(with("PartitionName=b Nodes=nosuch\n"), "nosuch");
  expect_invalid(with("PrologSlurmctld=/nowhere/prolog\n"), "/nowhere/prolog");
  replace(conf, "keys/jwt.key", "keys/none.key");
  expect_invalid(with(""), "none.key");
}

// A keeper and the slurmctld that it serves.
struct RunningSlurmTest : RealSlurmTest {
  void SetUp() override {
    RealSlurmTest::SetUp();
    if (IsSkipped()) return;
    const std::string state = real->folder() / "state";
    fs::create_directory(state);
    (void)::chown(state.c_str(), RealSlurm::kSlurmUser, RealSlurm::kSlurmUser);
    replace(conf, "controller-0(controller-0.controller)", "ctl(127.0.0.1)");
    replace(conf, "SlurmctldPort=6817", fmt::format("SlurmctldPort={}", *free_port(world.loop)));
    replace(conf, "/var/spool/slurmctld", state);
    replace(conf, "/run/slurmctld/slurmctld.pid", state + "/pid");
    publish(named("one", conf));
    keeper = std::make_unique<ConfigKeeper>(
        world.loop,
        base::Log(),
        *slurm,
        KeeperFolders{
            real->folder() / "candidate/current", real->folder() / "active", saved.path()});
    keeper->set_timing({.until_ready = kPatience, .gone_answers = 3});
    tasks = std::make_unique<net::TaskGroup>(world.loop);
    tasks->spawn("keeper", keeper->run());
    ASSERT_TRUE(wait([&] { return keeper->missing().empty(); })) << keeper->missing();
    start_slurmctld();
  }
  void TearDown() override {
    if (!tasks) return;
    tasks->cancel();
    world.run(tasks->join());
    tasks.reset();
  }

  void publish(const Configuration& configuration) {
    ConfigFolder folder(real->folder() / "candidate", ConfigFolder::Links::none);
    ASSERT_TRUE(folder.write(configuration).ok());
  }
  void start_slurmctld() {
    slurmctld = std::make_unique<RunningProgram>(world.loop);
    net::Command command = slurmctld_command(real->programs(),
                                             {.conf = real->folder() / "active/slurm.conf",
                                              .log = real->folder() / "slurmctld.log",
                                              .environment = net::environment(),
                                              .at_most = 10 * kPatience});
    ASSERT_TRUE(slurmctld->start(std::move(command)).ok());
    ASSERT_TRUE(wait([&] { return is_ready(); })) << log_tail(real->folder() / "slurmctld.log");
  }
  bool is_ready() { return ready_to == Readiness::ready; }
  bool wait(std::function<bool()> condition) { return world.run(wait_for(std::move(condition))); }
  net::Task<bool> wait_for(std::function<bool()> condition) {
    const base::Instant end = world.loop.in(2 * kPatience);
    while (!condition() && world.loop.now() < end) {
      (void)co_await world.loop.sleep_for(100ms);
      ready_to = co_await slurm->readiness(named("", conf));
    }
    co_return condition();
  }
  std::string saved_hash() const {
    const auto read = ConfigFolder(saved.path(), ConfigFolder::Links::none).read();
    return read ? read->hash : "";
  }
  std::string shown(std::string partition) {
    const auto finished = world.run(run_program(
        world.loop,
        {.argv = {real->programs().scontrol, "show", "partition", std::move(partition)},
         .environment =
             with_variable(net::environment(), "SLURM_CONF", real->folder() / "active/slurm.conf"),
         .at_most = kPatience}));
    return finished.ok() ? finished->output : finished.error().message();
  }

  testing::TestFolder saved;
  std::unique_ptr<ConfigKeeper> keeper;
  std::unique_ptr<net::TaskGroup> tasks;
  std::unique_ptr<RunningProgram> slurmctld;
  Readiness ready_to = Readiness::unreachable;
};

TEST_F(RunningSlurmTest, AChangedConfigurationIsRead) {
  publish(named("two", conf + "PartitionName=more Nodes=worker\n"));
  EXPECT_TRUE(wait([&] { return saved_hash() == "two"; }))
      << keeper->report().error << log_tail(real->folder() / "slurmctld.log");
  EXPECT_EQ(keeper->report().active, "two");
  EXPECT_EQ(keeper->report().error, "");
  EXPECT_THAT(shown("more"), HasSubstr("PartitionName=more"));
}

TEST_F(RunningSlurmTest, AConfigurationThatEndsSlurmctldIsTakenBack) {
  // The check omits JobComp, so that it writes to no database.
  publish(named("deadly", conf + "JobCompType=jobcomp/elasticsearch\n"));
  EXPECT_TRUE(wait([&] { return !keeper->report().error.empty(); }));
  EXPECT_THAT(keeper->report().error, HasSubstr("the previous one is active again"));
  EXPECT_EQ(keeper->report().active, "one");
  EXPECT_TRUE(slurmctld->outcome().has_value()) << "it still runs";
  start_slurmctld();
  EXPECT_THAT(shown("main"), HasSubstr("PartitionName=main"));
}

}  // namespace
}  // namespace slurmop::agent
