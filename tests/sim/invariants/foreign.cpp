// SPDX-License-Identifier: Apache-2.0
#include "request_target.h"
#include "world.h"

#include <fmt/format.h>

namespace sim {
namespace {

// Foreign pods and foreign jobs are never written, including the jobs of other bridges.
class Foreign final : public Invariant {
 public:
  std::string_view name() const override { return "I9"; }
  std::string_view sentence() const override { return "what is not ours is never touched"; }

  void job(World& world, const models::slurm::JobChange& change) override {
    if (world.acting().empty() || change.what == "submitted") return;
    if (world.members(*change.job).empty() && !world.id_changed_hands(*change.job)) {
      world.broken(
          *this,
          fmt::format("{} touches job {} ({})", world.acting(), change.job->id, change.what));
    }
  }

  void pod(World& world, const PodTruth* before, const PodTruth* after) override {
    const PodTruth* pod = before != nullptr ? before : after;
    if (!world.acting().empty() && pod->scheduler != kScheduler)
      world.broken(*this, fmt::format("{} writes to {}", world.acting(), pod->full_name()));
  }
};

}  // namespace

std::unique_ptr<Invariant> foreign_is_untouched() {
  return std::make_unique<Foreign>();
}

}  // namespace sim
