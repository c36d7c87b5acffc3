// SPDX-License-Identifier: Apache-2.0
#include "fit.h"
#include "world.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim {
namespace {

// A pod that Slurm refused or that waits shows the reason.
class Refusals final : public Invariant {
 public:
  std::string_view name() const override { return "I10"; }
  std::string_view sentence() const override {
    return "a refusal reaches the user with its reason";
  }

  std::optional<std::string> unfinished(World& world) override {
    for (const auto& [uid, pod] : world.pods()) {
      if (pod.deleting || pod.ended() || pod.scheduler != kScheduler) continue;
      const models::slurm::SlurmJob* job = pod.job ? world.slurm().find(*pod.job) : nullptr;
      if (!pod.bound() && job != nullptr && job->state == "PENDING" && pod.scheduled_reason.empty())
        return fmt::format("{} waits and does not say why", pod.full_name());
      if (!pod.waits_for.empty() && job != nullptr && job->reason == pod.waits_for &&
          !pod.scheduled_message.contains(pod.waits_for)) {
        return fmt::format("{} does not say that it waits for {}: {}",
                           pod.full_name(),
                           pod.waits_for,
                           pod.scheduled_message);
      }
      // Not refused: Slurm accepts requests that are too large while it has no nodes.
      if (job != nullptr && job->state == "PENDING") continue;
      // No job is submitted while foreign pods fill all nodes.
      if (pod.refused_as.empty() ||
          (pod.scheduled_reason == "NoNodeFits" && fits_nowhere(world, pod)))
        continue;
      if (pod.scheduled_reason != "RefusedBySlurm" ||
          !pod.scheduled_message.contains(pod.refused_as)) {
        return fmt::format("{} does not say why Slurm refused it ({}): {}",
                           pod.full_name(),
                           pod.refused_as,
                           pod.scheduled_message);
      }
    }
    return std::nullopt;
  }

 private:
  static bool fits_nowhere(World& world, const PodTruth& pod) {
    return std::ranges::none_of(
        world.nodes(), [&](const auto& entry) { return could_take(world, entry.first, pod); });
  }
};

}  // namespace

std::unique_ptr<Invariant> refusals_are_told() {
  return std::make_unique<Refusals>();
}

}  // namespace sim
