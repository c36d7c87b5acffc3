// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace sim {
namespace {

// The job of an ended pod is released, and then the pod's finalizer is removed.
class Frees final : public Invariant {
 public:
  std::string_view name() const override { return "I4"; }
  std::string_view sentence() const override { return "every ended pod frees its job"; }

  // The finalizer is removed after the job ended, not before: to other components, a pod that is
  // gone means that its node is free.
  void pod(World& world, const PodTruth* before, const PodTruth* after) override {
    if (world.acting().empty() || before == nullptr || !before->finalizer || !before->job) return;
    if ((after != nullptr && after->finalizer) || world.slurm_crashed()) return;
    const models::slurm::SlurmJob* job = world.slurm().find(*before->job);
    if (job == nullptr || !job->live() || !world.is_of(*job, before->uid)) return;
    if (another(world, *job, before->uid, &PodTruth::finalizer)) return;
    world.broken(*this,
                 fmt::format("{} is let go while its job {} lives", before->full_name(), job->id));
  }

  std::optional<std::string> unfinished(World& world) override {
    for (const auto& [id, job] : world.slurm().jobs()) {
      if (!job.live()) continue;
      for (const std::string& uid : world.members(job)) {
        const PodTruth* pod = world.pod(uid);
        if (pod == nullptr) return fmt::format("job {} lives, its pod is gone", id);
        const auto lives = [](const PodTruth& other) { return !other.ended(); };
        if (pod->ended() && !another(world, job, uid, lives))
          return fmt::format("job {} lives, {} ended", id, pod->full_name());
      }
    }
    for (const auto& [uid, pod] : world.pods()) {
      const bool over = pod.ended() || (pod.deleting && !pod.bound());
      if (over && pod.finalizer)
        return fmt::format("{} is over and still held by our finalizer", pod.full_name());
    }
    return std::nullopt;
  }

 private:
  // A job of several pods is released at the end of the last one.
  template <class Is>
  static bool another(World& world,
                      const models::slurm::SlurmJob& job,
                      const std::string& uid,
                      Is is) {
    return std::ranges::any_of(world.members(job), [&](const std::string& other) {
      const PodTruth* pod = world.pod(other);
      return other != uid && pod != nullptr && std::invoke(is, *pod);
    });
  }
};

}  // namespace

std::unique_ptr<Invariant> every_ended_pod_frees() {
  return std::make_unique<Frees>();
}

}  // namespace sim
