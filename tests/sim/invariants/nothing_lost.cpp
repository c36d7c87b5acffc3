// SPDX-License-Identifier: Apache-2.0
#include "fit.h"
#include "world.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace sim {
namespace {

using namespace std::chrono_literals;

// After any restarts, finally every waiting pod has a live job, or a reason why it can have none;
// every pod whose job runs is bound or held; and every deleted pod is gone.
class NothingLost final : public Invariant {
 public:
  std::string_view name() const override { return "I7"; }
  std::string_view sentence() const override {
    return "a restart of any role at any point loses nothing";
  }

  void job(World& world, const models::slurm::JobChange& change) override {
    if (change.what != "started") return;
    for (const std::string& uid : world.members(*change.job)) {
      for (const std::string& node : change.job->nodes)
        tried_[{uid, world.kube_name(node)}] = world.now();
    }
  }

  std::optional<std::string> unfinished(World& world) override {
    for (const auto& [uid, pod] : world.pods()) {
      if (pod.scheduler != kScheduler || pod.ended()) continue;
      if (pod.deleting) return fmt::format("{} was deleted and is still there", pod.full_name());
      if (pod.bound()) continue;
      if (!pod.job) {
        if (can_have_none(world, pod)) continue;
        return fmt::format("{} has no job ({})", pod.full_name(), pod.scheduled_reason);
      }
      const models::slurm::SlurmJob* job = world.slurm().find(*pod.job);
      const bool own = job != nullptr && world.is_of(*job, uid);
      if (!own || !job->live())
        return fmt::format("{} waits for job {}, which is not there", pod.full_name(), *pod.job);
      if (job->state == "RUNNING" && !is_held(world, pod, *job))
        return fmt::format("{} is not bound, its job {} runs", pod.full_name(), *pod.job);
    }
    return std::nullopt;
  }

 private:
  static constexpr auto kHold = 120s;      // holdSeconds
  static constexpr auto kAvoided = 10min;  // how long a node is excluded after a hold
  static constexpr auto kSlack = 20s;

  // No job can be submitted for the pod until a user or administrator changes something. All other
  // causes are temporary; a pod that still shows one of them was forgotten.
  bool can_have_none(World& world, const PodTruth& pod) const {
    const std::string& reason = pod.scheduled_reason;
    if (reason == "InvalidRequest" || reason == "NotSupported") return true;
    if (reason == "RefusedBySlurm") return !pod.refused_as.empty();
    if (reason == "VolumesNotReady") return waits_for_volume(world, pod);
    if (reason != "NoNodeFits") return false;
    return std::ranges::none_of(world.nodes(), [&](const auto& entry) {
      return could_take(world, entry.first, pod) && !was_tried(world, pod, entry.first);
    });
  }

  static bool waits_for_volume(World& world, const PodTruth& pod) {
    return std::ranges::any_of(pod.claims, [&](const std::string& name) {
      const json::Value* claim = world.kube().find({"persistentvolumeclaims", pod.ns, name});
      return claim == nullptr || text_at(*claim, {"status", "phase"}) != "Bound";
    });
  }

  // A job of the pod ran on the node, and the pod was not bound there: the node is excluded for a
  // while.
  bool was_tried(World& world, const PodTruth& pod, const std::string& node) const {
    const auto since = tried_.find({pod.uid, node});
    return since != tried_.end() && world.now() < since->second + kHold + kAvoided + kSlack;
  }

  // Slurm may allocate resources of a running pod whose job it lost. The pod of the new job is then
  // held, shows that, and gets another job within kHold.
  bool is_held(World& world, const PodTruth& pod, const models::slurm::SlurmJob& job) {
    if (pod.scheduled_reason != "HeldForNode" ||
        world.has_room(world.kube_name(job.nodes.front()), pod))
      return false;
    const base::Instant since = held_.try_emplace({pod.uid, job.id}, world.now()).first->second;
    if (world.now() <= since + kHold + kSlack) return true;
    world.broken(*this,
                 fmt::format("{} is still held for the node of job {}", pod.full_name(), job.id));
    return false;
  }

  std::map<std::pair<std::string, std::string>, base::Instant> tried_;   // by uid and node
  std::map<std::pair<std::string, std::uint32_t>, base::Instant> held_;  // since when
};

}  // namespace

std::unique_ptr<Invariant> nothing_is_lost() {
  return std::make_unique<NothingLost>();
}

}  // namespace sim
