// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/roles.h"

#include "operator/workers/testing_workers.h"

#include <gtest/gtest.h>

namespace slurmop::workers {
namespace {

using namespace testing;

// "0k 1l 2?": ordinal and role; "jobs" at the end if the jobs decide.
std::string roles(const Scene& scene) {
  return scene.with_facts([](const WorkerFacts& facts) {
    Workers all = workers_of(facts);
    const bool jobs_decide = assign_roles(all, facts);
    std::string text;
    for (const auto& [ordinal, worker] : all) {
      const char role = worker.role == Role::kept ? 'k' : worker.role == Role::leaving ? 'l' : '?';
      text += fmt::format("{}{} ", ordinal, role);
    }
    return text + (jobs_decide ? "jobs" : "");
  });
}

TEST(Roles, NewWorkersGetTheLowestFreeOrdinals) {
  EXPECT_EQ(roles(Scene(3)), "0k 1k 2k ");
  EXPECT_EQ(roles(Scene(4).worker(1).worker(5)), "0k 1k 2k 5k ");
  EXPECT_EQ(roles(Scene(0)), "");
}

TEST(Roles, ASlurmNodeWithoutAPodIsReusedBeforeAFreeOrdinal) {
  EXPECT_EQ(roles(Scene(2).worker(0).with(slurm_node(7, {"DOWN"}))), "0k 7k ");
  EXPECT_EQ(roles(Scene(1).worker(0).with(slurm_node(7, {"DOWN"}))), "0k 7l ");
}

TEST(Roles, WorkersThatWeDrainedAreKeptBeforeNewOnesAreMade) {
  Scene scene(3);
  scene.worker(0).worker(4, {"MIXED", "DRAIN"}, "slurm-operator: scale-down");
  EXPECT_EQ(roles(scene), "0k 1k 4k ");
}

TEST(Roles, APodThatIsBeingDeletedKeepsItsOrdinal) {
  EXPECT_EQ(roles(Scene(2).worker(0).with(leaving_pod(1))), "0k 1k ");
  EXPECT_EQ(roles(Scene(1).worker(0).with(leaving_pod(1))), "0k 1l ");
}

TEST(Roles, AnIdleWorkerIsExchangedForABusyOneThatWeDrained) {
  Scene scene(1);
  scene.worker(0).worker(1, {"MIXED", "DRAIN"}, "slurm-operator: scale-down");
  EXPECT_EQ(roles(scene), "0l 1k ");
}

TEST(Roles, TheJobsDecideBetweenBusyWorkers) {
  Scene scene(2);
  scene.worker(0, {"MIXED"}).worker(1, {"MIXED"}).worker(2).worker(3, {"MIXED"});
  EXPECT_EQ(roles(scene), "0? 1? 2l 3? jobs");
  scene.jobs({job_on(1, {0}, kNow, kNow + minutes(1)), job_on(2, {1, 3}, kNow, kNow + hours(1))});
  EXPECT_EQ(roles(scene), "0l 1k 2l 3k jobs");
}

TEST(Roles, NoJobsAreNeededWithoutAChoice) {
  Scene all_busy(0);
  all_busy.worker(0, {"MIXED"}).worker(1, {"MIXED"});
  EXPECT_EQ(roles(all_busy), "0l 1l ");
  Scene decided(1);
  decided.worker(0, {"MIXED"}).worker(1, {"MIXED", "DRAIN"}, "slurm-operator: scale-down");
  EXPECT_EQ(roles(decided), "0k 1l ");
}

}  // namespace
}  // namespace slurmop::workers
