// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/retire.h"

#include "operator/workers/testing_workers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::workers {
namespace {

using namespace testing;

constexpr const char* kOurs = "slurm-operator: scale-down";
constexpr const char* kDrain = "drain worker-0 (slurm-operator: scale-down)";
constexpr const char* kDelete = "delete worker-0";

MaybeStep step_of(const Scene& scene) {
  return scene.with_facts(
      [](const WorkerFacts& facts) { return retire(workers_of(facts).at(0), facts); });
}

TEST(Retire, DrainsFirstAndDeletesWhenSlurmShowsNoJobs) {
  const struct {
    const char* cause;
    kube::ObservedPod pod;
    std::optional<slurm::Node> node;
    const char* want;
  } kRows[] = {
      {"idle", running_pod(0), slurm_node(0), kDrain},
      {"busy", running_pod(0), slurm_node(0, {"MIXED"}), kDrain},
      {"completing", running_pod(0), slurm_node(0, {"IDLE", "COMPLETING"}), kDrain},
      {"not responding", running_pod(0), slurm_node(0, {"IDLE", "NOT_RESPONDING"}), kDrain},
      {"down by us",
       running_pod(0),
       slurm_node(0, {"DOWN"}, "slurm-operator: pod replaced"),
       kDrain},
      {"down by slurmctld", running_pod(0), slurm_node(0, {"DOWN"}, "Not responding"), kDrain},
      {"down and completing",
       running_pod(0),
       slurm_node(0, {"DOWN", "COMPLETING"}, "Not responding"),
       ""},
      {"drained, allocated", running_pod(0), slurm_node(0, {"ALLOCATED", "DRAIN"}, kOurs), ""},
      {"drained, completing",
       running_pod(0),
       slurm_node(0, {"IDLE", "COMPLETING", "DRAIN"}, kOurs),
       ""},
      {"drained", running_pod(0), slurm_node(0, {"IDLE", "DRAIN"}, kOurs), kDelete},
      {"drained and down", running_pod(0), slurm_node(0, {"DOWN", "DRAIN"}, kOurs), kDelete},
      {"drain is being removed",
       running_pod(0),
       slurm_node(0, {"IDLE", "DRAIN", "UNDRAIN"}, kOurs),
       kDrain},
      {"another's drain, busy", running_pod(0), slurm_node(0, {"MIXED", "DRAIN"}, "fan"), ""},
      {"another's drain, idle", running_pod(0), slurm_node(0, {"IDLE", "DRAIN"}, "fan"), kDelete},
      {"another's down", running_pod(0), slurm_node(0, {"DOWN"}, "disk"), kDelete},
      {"failed, ghost jobs", ended_pod(0), slurm_node(0, {"MIXED"}), kDelete},
      {"being deleted", leaving_pod(0), slurm_node(0, {"IDLE", "DRAIN"}, kOurs), ""},
      {"pending, unknown to Slurm", pending_pod(0), {}, kDelete},
      {"pending, old node is down",
       pending_pod(0),
       slurm_node(0, {"DOWN"}, "slurm-operator: x"),
       kDelete},
      {"pending, jobs are shown", pending_pod(0), slurm_node(0, {"MIXED"}), kDrain},
      {"crashes, unknown to Slurm", crashing_pod(0), {}, kDelete},
      {"crashes, known to Slurm", crashing_pod(0), slurm_node(0), kDrain},
      {"runs for an hour, unknown to Slurm", running_pod(0), {}, kDelete},
      {"has just started, unknown to Slurm", running_pod(0, kNow - seconds(60)), {}, ""},
  };
  for (const auto& row : kRows) {
    Scene scene(0);
    scene.with(row.pod);
    if (row.node) scene.with(*row.node);
    EXPECT_EQ(text(step_of(scene)), row.want) << row.cause;
  }
}

TEST(Retire, DeletesABusyPodOnlyAfterTheDrainTimeout) {
  const struct {
    const char* cause;
    std::optional<base::Duration> timeout;
    const char* reason;
    bool known_time;
    const char* want;
  } kRows[] = {
      {"no timeout", {}, kOurs, true, ""},
      {"not yet", minutes(5) + seconds(1), kOurs, true, ""},
      {"now", minutes(5), kOurs, true, kDelete},
      {"time of the drain unknown", minutes(5), kOurs, false, ""},
      {"drain of others", minutes(5), "fan", true, ""},
  };
  for (const auto& row : kRows) {
    Scene scene(0);
    slurm::Node node = slurm_node(0, {"MIXED", "DRAIN"}, row.reason);  // five minutes ago
    if (!row.known_time) node.reason_changed_at = 0;
    scene.with(running_pod(0)).with(node);
    scene.set.drain_timeout = row.timeout;
    EXPECT_EQ(text(step_of(scene)), row.want) << row.cause;
  }
}

TEST(Retire, DeletesExactlyThePodThatWasSeenAndStatesWhy) {
  Scene scene(0);
  scene.worker(0, {"IDLE", "DRAIN"}, kOurs);
  const MaybeStep step = step_of(scene);
  const auto& deletion = std::get<DeletePod>(*step);
  EXPECT_EQ(deletion.pod, (kube::ObjectKey{"ns", "worker-0"}));
  EXPECT_EQ(deletion.uid, kube::Uid("uid-0"));
  EXPECT_EQ(deletion.resource_version, "7");
  EXPECT_EQ(deletion.reason, "Slurm shows node worker-0 drained and without jobs");
}

}  // namespace
}  // namespace slurmop::workers
