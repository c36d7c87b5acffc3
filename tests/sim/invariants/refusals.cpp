// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <fmt/format.h>

namespace sim {
namespace {

// A refusal reaches the user with its reason.
class Refusals final : public Invariant {
 public:
  std::string_view name() const override { return "I10"; }
  std::string_view sentence() const override {
    return "a refusal reaches the user with its reason";
  }

  std::optional<std::string> unfinished(World& world) override {
    for (const auto& [uid, pod] : world.pods()) {
      if (!pod.name.starts_with("refused") || pod.deleting || pod.ended()) continue;
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
