// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <fmt/format.h>

namespace sim {
namespace {

// A refusal reaches the user with its reason, and so does every other wait.
class Refusals final : public Invariant {
 public:
  std::string_view name() const override { return "I10"; }
  std::string_view sentence() const override {
    return "a refusal reaches the user with its reason";
  }

  std::optional<std::string> unfinished(World& world) override {
    for (const auto& [uid, pod] : world.pods()) {
      if (pod.deleting || pod.ended() || pod.scheduler != kScheduler) continue;
      const models::SlurmJob* job = pod.job ? world.slurm().find(*pod.job) : nullptr;
      if (!pod.bound() && job != nullptr && job->state == "PENDING" && pod.scheduled_reason.empty())
        return fmt::format("{} waits and does not say why", pod.full_name());
      if (!pod.name.starts_with("refused")) continue;
      if (pod.scheduled_reason != "RefusedBySlurm" || pod.scheduled_message.empty())
        return fmt::format("{} does not say why Slurm refused it", pod.full_name());
    }
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<Invariant> refusals_are_told() {
  return std::make_unique<Refusals>();
}

}  // namespace sim
