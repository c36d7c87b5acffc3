// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim {
namespace {

// Whatever was restarted: in the end every pod that waits has a job that waits or runs for it, or
// says why not; every pod whose job has a node is on it; and what was deleted is gone.
class NothingLost final : public Invariant {
 public:
  std::string_view name() const override { return "I7"; }
  std::string_view sentence() const override {
    return "a restart of any role at any point loses nothing";
  }

  std::optional<std::string> unfinished(World& world) override {
    for (const auto& [uid, pod] : world.pods()) {
      if (pod.scheduler != kScheduler || pod.ended()) continue;
      if (pod.deleting) return fmt::format("{} was deleted and is still there", pod.full_name());
      if (pod.bound()) continue;
      if (!pod.job) {
        if (pod.scheduled_reason.empty() || pod.scheduled_reason == "WaitingInSlurm")
          return fmt::format("{} has no job", pod.full_name());
        continue;
      }
      const models::SlurmJob* job = world.slurm().find(*pod.job);
      const bool own = job != nullptr && world.is_of(*job, uid);
      if (!own || !job->live())
        return fmt::format("{} waits for job {}, which is not there", pod.full_name(), *pod.job);
      if (job->state == "RUNNING" && !is_held(world, pod, *job))
        return fmt::format("{} is not bound, its job {} runs", pod.full_name(), *pod.job);
    }
    return std::nullopt;
  }

 private:
  // Slurm gives away what a pod still has of which it knows nothing any more: whoever gets that
  // node is held, says so, and gets another job in time.
  static bool is_held(World& world, const PodTruth& pod, const models::SlurmJob& job) {
    return pod.scheduled_reason == "HeldForNode" &&
           !world.has_room(world.kube_name(job.nodes.front()), pod);
  }
};

}  // namespace

std::unique_ptr<Invariant> nothing_is_lost() {
  return std::make_unique<NothingLost>();
}

}  // namespace sim
