// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/keeper.h"

#include "net/files/small_file.h"
#include "net/testing/loop.h"
#include "operator/agent/testing_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace slurmop::agent {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::Kind;
using base::Result;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TestFolder;
using Outcome = Verdict::Outcome;
using namespace std::chrono_literals;

Configuration config(const std::string& hash) {
  return {hash, {{"slurm.conf", "ClusterName=" + hash + "\n"}}};
}

// A Slurm whose slurmctld ends when it reads one of the configurations in `deadly`.
class FakeSlurm final : public Slurm {
 public:
  FakeSlurm(net::Loop& loop, std::string active) : loop_(loop), active_(std::move(active)) {}

  net::Task<Verdict> check(Configuration configuration) override {
    checked.push_back(configuration.hash);
    (void)co_await loop_.sleep_for(check_time);
    const auto verdict = verdicts.find(configuration.hash);
    co_return verdict == verdicts.end() ? Verdict{} : verdict->second;
  }

  net::Task<Readiness> readiness(Configuration) override {
    (void)co_await loop_.sleep_for(10ms);
    if (running.empty()) co_return Readiness::unreachable;
    co_return busy ? Readiness::not_ready : Readiness::ready;
  }

  net::Task<Result<void>> reconfigure(Configuration active) override {
    reconfigured.push_back(active.hash);
    (void)co_await loop_.sleep_for(20ms);
    if (refuse) co_return Error(Kind::unavailable, "scontrol reconfigure: no permission");
    start();
    co_return Result<void>();
  }

  // Reads the active folder as slurmctld does; it ends at once with a deadly configuration.
  void start() {
    const auto read = read_configuration(active_ + "/current");
    running = read.ok() ? read->hash : "";
    if (deadly.contains(running)) running.clear();
  }

  base::Duration check_time = 500ms;
  std::map<std::string, Verdict> verdicts;
  std::set<std::string> deadly;
  bool busy = false;
  bool refuse = false;
  std::string running;  // hash of the configuration that slurmctld has read; empty: not running
  std::vector<std::string> checked;
  std::vector<std::string> reconfigured;

 private:
  net::Loop& loop_;
  std::string active_;
};

struct KeeperTest : ::testing::Test {
  KeeperTest() : slurm(world.loop, root / "active") { start(); }

  // A new process with the same folders.
  void start() {
    keeper = std::make_unique<ConfigKeeper>(
        world.loop,
        base::Log([this](std::string_view line) { log += line; },
                  world.clock,
                  base::LogFormat::human,
                  base::LogLevel::info),
        slurm,
        KeeperFolders{candidate.path(), root / "active", root / "saved"});
    tasks = std::make_unique<net::TaskGroup>(world.loop);
    tasks->spawn("keeper", keeper->run());
  }
  void stop() {
    tasks->cancel();
    world.run(tasks->join());
  }
  void restart() {
    stop();
    start();
  }
  // The pod is replaced: the active folder is new, slurmctld starts when there is a configuration.
  void replace_pod() {
    stop();
    fs::remove_all(root / "active");
    slurm.running.clear();
    start();
  }
  ~KeeperTest() override { stop(); }

  void pass(base::Duration time) { (void)world.run(world.loop.sleep_for(time)); }
  std::string active_hash() const {
    const auto read = ConfigFolder(root / "active", ConfigFolder::Links::each_file).read();
    return read ? read->hash : "";
  }
  std::string saved_hash() const {
    const auto read = ConfigFolder(root / "saved", ConfigFolder::Links::none).read();
    return read ? read->hash : "";
  }
  // The cluster runs with the configuration "one".
  void run_with_one() {
    candidate.publish(config("one"));
    pass(3s);
    slurm.start();
    pass(3s);
    ASSERT_EQ(slurm.running, "one");
    slurm.checked.clear();
  }

  net::testing::VirtualWorld world;
  TestFolder candidate;
  TestFolder root;
  FakeSlurm slurm;
  std::string log;
  std::unique_ptr<ConfigKeeper> keeper;
  std::unique_ptr<net::TaskGroup> tasks;
};

TEST_F(KeeperTest, WaitsForAConfiguration) {
  pass(10s);
  EXPECT_EQ(keeper->missing(), "there is no configuration yet");
  EXPECT_EQ(keeper->report(), Report{});
}

TEST_F(KeeperTest, TheFirstValidConfigurationBecomesActiveAndIsSaved) {
  candidate.publish(config("one"));
  pass(300ms);
  EXPECT_EQ(keeper->missing(), "the configuration is being checked");
  EXPECT_EQ(keeper->report().seen, "one");
  pass(1s);
  EXPECT_EQ(keeper->missing(), "");
  EXPECT_EQ(active_hash(), "one");
  EXPECT_EQ(saved_hash(), "one");
  EXPECT_EQ(*net::read_small_file(root / "active/slurm.conf"), "ClusterName=one\n");
  const Report report = keeper->report();
  EXPECT_EQ(report.active, "one");
  EXPECT_EQ(report.error, "");
  EXPECT_TRUE(report.checked_at.has_value());
  EXPECT_THAT(slurm.reconfigured, IsEmpty()) << "slurmctld has not started yet";
}

TEST_F(KeeperTest, AnInvalidFirstConfigurationIsReported) {
  slurm.verdicts["bad"] = {Outcome::invalid, "slurm.conf line 3: unrecognized key: X"};
  candidate.publish(config("bad"));
  pass(5s);
  EXPECT_EQ(keeper->missing(), "slurm.conf line 3: unrecognized key: X");
  EXPECT_EQ(active_hash(), "");
}

TEST_F(KeeperTest, ANewConfigurationIsReadByTheRunningSlurmctld) {
  run_with_one();
  candidate.publish(config("two"));
  pass(10s);
  EXPECT_EQ(active_hash(), "two");
  EXPECT_EQ(slurm.running, "two");
  EXPECT_EQ(saved_hash(), "two");
  EXPECT_THAT(slurm.reconfigured, ElementsAre("two"));
  EXPECT_EQ(keeper->report().error, "");
  pass(600s);
  EXPECT_THAT(slurm.checked, ElementsAre("two")) << "an active configuration is not checked again";
  EXPECT_THAT(slurm.reconfigured, ElementsAre("two"));
}

TEST_F(KeeperTest, AnInvalidConfigurationChangesNothing) {
  run_with_one();
  slurm.verdicts["bad"] = {Outcome::invalid, "slurm.conf line 3: unrecognized key: X"};
  candidate.publish(config("bad"));
  pass(10s);
  EXPECT_EQ(active_hash(), "one");
  EXPECT_EQ(saved_hash(), "one");
  const Report report = keeper->report();
  EXPECT_EQ(report.seen, "bad");
  EXPECT_EQ(report.active, "one");
  EXPECT_EQ(report.error, "slurm.conf line 3: unrecognized key: X");
  EXPECT_THAT(slurm.reconfigured, IsEmpty());
  EXPECT_EQ(keeper->missing(), "");

  candidate.publish(config("one"));
  pass(2s);
  EXPECT_EQ(keeper->report().error, "") << "the change was taken back";
  EXPECT_THAT(slurm.checked, ElementsAre("bad"));
}

TEST_F(KeeperTest, AnInvalidConfigurationIsCheckedAgainAfterFiveMinutes) {
  run_with_one();
  slurm.verdicts["bad"] = {Outcome::invalid, "PrologSlurmctld: no such file"};
  candidate.publish(config("bad"));
  pass(299s);
  EXPECT_THAT(slurm.checked, ElementsAre("bad"));
  slurm.verdicts.clear();
  pass(20s);
  EXPECT_THAT(slurm.checked, ElementsAre("bad", "bad"));
  EXPECT_EQ(slurm.running, "bad") << "the missing file has appeared";
  EXPECT_EQ(keeper->report().error, "");
}

TEST_F(KeeperTest, ACheckWithoutResultIsRepeatedWithBackOff) {
  run_with_one();
  slurm.verdicts["two"] = {Outcome::unchecked, "not checked: slurmctld was not ready within 30 s"};
  candidate.publish(config("two"));
  pass(9s);
  EXPECT_THAT(slurm.checked, ElementsAre("two"));
  EXPECT_THAT(keeper->report().error, HasSubstr("not checked"));
  EXPECT_EQ(active_hash(), "one");
  pass(60s);
  EXPECT_THAT(slurm.checked, ElementsAre("two", "two", "two")) << "after 10 and 20 s";
  slurm.verdicts.clear();
  pass(60s);
  EXPECT_EQ(slurm.running, "two");
}

TEST_F(KeeperTest, ACandidateThatIsReplacedDuringItsCheckDoesNotBecomeActive) {
  run_with_one();
  slurm.check_time = 20s;
  candidate.publish(config("two"));
  pass(5s);
  candidate.publish(config("three"));
  pass(60s);
  EXPECT_THAT(slurm.checked, ElementsAre("two", "three"));
  EXPECT_THAT(slurm.reconfigured, ElementsAre("three"));
  EXPECT_EQ(slurm.running, "three");
}

TEST_F(KeeperTest, ThePreviousConfigurationIsRestoredIfSlurmctldEnds) {
  run_with_one();
  slurm.deadly.insert("two");
  candidate.publish(config("two"));
  pass(60s);
  EXPECT_EQ(active_hash(), "one");
  EXPECT_EQ(saved_hash(), "one");
  EXPECT_EQ(keeper->report().active, "one");
  EXPECT_THAT(keeper->report().error, HasSubstr("slurmctld ended when it read this"));
  slurm.start();  // by the kubelet
  pass(3600s);
  EXPECT_EQ(slurm.running, "one");
  EXPECT_THAT(slurm.reconfigured, ElementsAre("two", "one"));
  EXPECT_THAT(slurm.checked, ElementsAre("two")) << "it would end slurmctld each time";
  EXPECT_THAT(keeper->report().error, HasSubstr("the previous one is active again"));

  candidate.publish(config("three"));
  pass(60s);
  EXPECT_EQ(slurm.running, "three");
  EXPECT_EQ(keeper->report().error, "");
}

TEST_F(KeeperTest, ARejectedConfigurationIsNotTriedByALaterProcess) {
  run_with_one();
  slurm.deadly.insert("two");
  candidate.publish(config("two"));
  pass(60s);
  slurm.start();
  pass(60s);
  replace_pod();
  pass(2s);
  slurm.start();
  pass(3600s);
  EXPECT_EQ(slurm.running, "one");
  EXPECT_THAT(slurm.checked, ElementsAre("two"));
  EXPECT_THAT(keeper->report().error, HasSubstr("slurmctld ended when it read this"));
  candidate.publish(config("three"));
  pass(60s);
  EXPECT_EQ(slurm.running, "three");
  EXPECT_FALSE(fs::exists(root / "saved/rejected"));
}

TEST_F(KeeperTest, ASlurmctldThatIsNotReadyIsReportedAndToldAgain) {
  run_with_one();
  slurm.busy = true;
  candidate.publish(config("two"));
  pass(40s);
  EXPECT_EQ(active_hash(), "two");
  EXPECT_EQ(saved_hash(), "one") << "not before slurmctld runs with it";
  EXPECT_THAT(keeper->report().error, HasSubstr("not ready 30 s after"));
  slurm.busy = false;
  pass(60s);
  EXPECT_EQ(keeper->report().error, "");
  EXPECT_EQ(saved_hash(), "two");
}

TEST_F(KeeperTest, ARefusedReconfigurationIsReportedAndRepeated) {
  run_with_one();
  slurm.refuse = true;
  candidate.publish(config("two"));
  pass(8s);
  EXPECT_EQ(keeper->report().error, "scontrol reconfigure: no permission");
  EXPECT_EQ(slurm.running, "one");
  slurm.refuse = false;
  pass(30s);
  EXPECT_EQ(slurm.running, "two");
  EXPECT_EQ(keeper->report().error, "");
}

TEST_F(KeeperTest, ANewPodStartsWithTheSavedConfigurationAtOnce) {
  run_with_one();
  slurm.verdicts["bad"] = {Outcome::invalid, "line 3"};
  candidate.publish(config("bad"));
  pass(5s);
  replace_pod();
  pass(1ms);
  EXPECT_EQ(keeper->missing(), "");
  EXPECT_EQ(active_hash(), "one");
  pass(5s);
  EXPECT_EQ(keeper->report().error, "line 3");
  EXPECT_EQ(keeper->report().active, "one");
}

TEST_F(KeeperTest, ASlurmctldThatStartedWithTheOldFilesReadsTheNewOnes) {
  run_with_one();
  candidate.publish(config("two"));
  slurm.check_time = 3s;
  replace_pod();
  pass(2s);
  slurm.start();  // with the saved files, while the candidate is being checked
  ASSERT_EQ(slurm.running, "one");
  slurm.running.clear();  // it does not listen yet
  pass(4s);
  slurm.running = "one";
  pass(20s);
  EXPECT_EQ(slurm.running, "two");
  EXPECT_EQ(saved_hash(), "two");
}

TEST_F(KeeperTest, AProcessThatEndedBeforeTheReconfigurationIsContinued) {
  run_with_one();
  ASSERT_TRUE(
      ConfigFolder(root / "active", ConfigFolder::Links::each_file).write(config("two")).ok());
  candidate.publish(config("two"));
  restart();
  pass(20s);
  EXPECT_EQ(slurm.running, "two");
  EXPECT_EQ(saved_hash(), "two");
}

TEST_F(KeeperTest, AnUnreadableFolderIsReported) {
  run_with_one();
  Configuration broken = config("one");
  broken.hash = "no hash";
  candidate.publish(broken);
  pass(5s);
  EXPECT_THAT(keeper->report().error, HasSubstr("has no hash but \"no hash\""));
  EXPECT_EQ(keeper->report().active, "one");
  candidate.publish(config("one"));
  pass(2s);
  EXPECT_EQ(keeper->report().error, "");
}

TEST_F(KeeperTest, AFullVolumeDoesNotKeepAConfigurationFromBeingUsed) {
  root.write("saved", "a file in the place of the folder");
  candidate.publish(config("one"));
  pass(3s);
  EXPECT_EQ(keeper->missing(), "");
  EXPECT_EQ(saved_hash(), "");
  fs::remove(root / "saved");
  pass(70s);
  EXPECT_EQ(saved_hash(), "one");
}

TEST_F(KeeperTest, EachChangeIsOneLineOfTheLog) {
  run_with_one();
  log.clear();
  pass(600s);
  EXPECT_EQ(log, "");
  slurm.verdicts["bad"] = {Outcome::invalid, "line 3"};
  candidate.publish(config("bad"));
  pass(3600s);
  EXPECT_EQ(std::ranges::count(log, '\n'), 2) << log;
  EXPECT_THAT(log, HasSubstr("new configuration"));
  EXPECT_THAT(log, HasSubstr("configuration is not used"));
}

TEST_F(KeeperTest, AStopDuringACheckEndsAtOnce) {
  slurm.check_time = 3600s;
  candidate.publish(config("one"));
  pass(5s);
  const base::Instant before = world.loop.now();
  stop();
  EXPECT_EQ(world.loop.now(), before);
  EXPECT_EQ(active_hash(), "");
  start();
}

}  // namespace
}  // namespace slurmop::agent
