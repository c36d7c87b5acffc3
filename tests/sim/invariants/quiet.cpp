// SPDX-License-Identifier: Apache-2.0
#include "request_target.h"
#include "world.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim {
namespace {

// Without changes the bridge makes no writes, except to renew Leases.
class Quiet final : public Invariant {
 public:
  std::string_view name() const override { return "I8"; }
  std::string_view sentence() const override { return "a quiet system makes no writes"; }

  void job(World& world, const models::slurm::JobChange& change) override {
    stir(world, change.what);
  }
  void pod(World& world, const PodTruth*, const PodTruth*) override { stir(world, "pod"); }

  void node(World& world, const std::string& /*name*/) override { stir(world, "node"); }

  void request(World& world, const Request& request) override {
    if (!world.quiet() || !request.write()) return;
    // A refused request is repeated at times; it writes nothing.
    if (request.answer.status >= 300) return;
    const auto target = target_of(request);
    if (target && target->plural == "leases") return;
    if (target && target->plural == "pods" && is_held(world, *target)) stirred_ = world.now();
    // During a fault, processes learn of changes only when it ends.
    const base::Instant news = std::max({stirred_, world.stirred_at(), world.troubled_until()});
    if (world.now() < news + kAfterwards + reading_reasons(world)) return;
    world.broken(*this, describe(request.system, request.http));
  }

 private:
  // The reasons of waiting jobs are read once a minute, and the longest intended delay of a write is
  // two minutes: the removal of a pod whose job moved (PodSyncer).
  static constexpr auto kAfterwards = std::chrono::seconds(190);
  static constexpr auto kBetweenReads = std::chrono::milliseconds(250);

  // The reasons are read one after the other. If Slurm is slow, a change is seen only after the
  // other waiting jobs have been read.
  static base::Duration reading_reasons(const World& world) {
    if (world.plan().slurm_takes == base::Duration()) return {};
    const auto waiting = std::ranges::count_if(
        world.pods(), [](const auto& entry) { return entry.second.job && !entry.second.bound(); });
    return waiting * (world.plan().slurm_takes + kBetweenReads);
  }

  // A held pod gets another job after a while, repeatedly if necessary.
  static bool is_held(World& world, const Target& target) {
    const PodTruth* pod = world.pod_named(target.ns, target.name);
    return pod != nullptr && !pod->bound() &&
           (pod->scheduled_reason == "HeldForNode" || pod->scheduled_reason == "NodeUnknown");
  }

  // Pods end and jobs start by themselves; writes because of that are no violation.
  void stir(World& world, std::string_view) {
    if (world.acting().empty()) stirred_ = world.now();
  }

  base::Instant stirred_{};
};

}  // namespace

std::unique_ptr<Invariant> quiet_is_silent() {
  return std::make_unique<Quiet>();
}

}  // namespace sim
