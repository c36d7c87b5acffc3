// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim {
namespace {

// Every ended pod frees its job, and is let go itself.
class Frees final : public Invariant {
 public:
  std::string_view name() const override { return "I4"; }
  std::string_view sentence() const override { return "every ended pod frees its job"; }

  // A pod is let go after its job, not before: whoever sees the pod gone takes the node for free.
  void pod(World& world, const PodTruth* before, const PodTruth* after) override {
    if (world.acting().empty() || before == nullptr || !before->finalizer || !before->job) return;
    if ((after != nullptr && after->finalizer) || world.slurm_crashed()) return;
    const models::SlurmJob* job = world.slurm().find(*before->job);
    if (job == nullptr || !job->live() || !world.is_of(*job, before->uid)) return;
    world.broken(*this,
                 fmt::format("{} is let go while its job {} lives", before->full_name(), job->id));
  }

  std::optional<std::string> unfinished(World& world) override {
    for (const auto& [id, job] : world.slurm().jobs()) {
      if (!job.live()) continue;
      for (const std::string& uid : world.members(job)) {
        const PodTruth* pod = world.pod(uid);
        if (pod == nullptr) return fmt::format("job {} lives, its pod is gone", id);
        if (pod->ended()) return fmt::format("job {} lives, {} ended", id, pod->full_name());
      }
    }
    for (const auto& [uid, pod] : world.pods()) {
      const bool over = pod.ended() || (pod.deleting && !pod.bound());
      if (over && pod.finalizer)
        return fmt::format("{} is over and still held by our finalizer", pod.full_name());
    }
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<Invariant> every_ended_pod_frees() {
  return std::make_unique<Frees>();
}

}  // namespace sim
