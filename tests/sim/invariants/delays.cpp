// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace sim {
namespace {

using namespace std::chrono_literals;

// Without faults each step is done soon, however many pods wait: a new pod is submitted, a pod
// whose job runs is bound, the job of an ended pod is released, a pod whose job ended is deleted,
// a node that is unusable in Kubernetes is drained.
class Delays final : public Invariant {
 public:
  std::string_view name() const override { return "I5"; }
  std::string_view sentence() const override { return "waiting work never delays runnable work"; }

  void moment(World& world) override {
    const bool slow = world.plan().slurm_takes > 0s;
    if (!world.plan().calm || world.now() < base::Instant(slow ? kSlowStart : kStart)) return;
    soon_ = slow ? kSoonWhereSlow : kSoon;
    drains(world);
    for (const auto& [uid, pod] : world.pods()) {
      if (pod.scheduler != kScheduler) continue;
      const std::string due = due_step(world, pod);
      if (due.empty()) {
        since_.erase(uid);
        continue;
      }
      auto [place, is_new] = since_.try_emplace(uid, due, world.now());
      if (!is_new && place->second.first != due) place->second = {due, world.now()};
      if (world.now() > place->second.second + soon_) {
        return world.broken(*this,
                            fmt::format("{} has waited for {} to be {}",
                                        pod.full_name(),
                                        std::chrono::duration_cast<std::chrono::seconds>(soon_),
                                        due));
      }
    }
  }

 private:
  static constexpr auto kStart = 5s;
  static constexpr auto kAsked = 12s;  // longest period of the node mirror, and a few requests
  static constexpr auto kSoon = 3s;    // longest period of the mirror, and a few requests
  // If Slurm needs 7 s for each answer. The start takes version, token, nodes and a scan. A step
  // takes the pause after the latest poll, a poll, a read of the job, and requests queued before.
  static constexpr auto kSlowStart = 60s;
  static constexpr auto kSoonWhereSlow = 60s;

  void drains(World& world) {
    for (const auto& [name, node] : world.nodes()) {
      const bool usable = node.in_kube && node.ready && !node.cordoned_by_people();
      const bool was_usable = std::exchange(usable_[name], usable);
      const bool due = node.in_slurm && !usable && !node.drained && !node.down;
      if (!due) to_be_drained_by_.erase(name);
      if (!due) continue;
      // A change in Kubernetes is received at once, a change in Slurm with the next poll.
      const auto [place, is_new] = to_be_drained_by_.try_emplace(
          name, world.now() + (was_usable ? soon_ : std::max<base::Duration>(soon_, kAsked)));
      if (!is_new && world.now() > place->second)
        return world.broken(*this, fmt::format("{} is still to be drained in Slurm", name));
    }
  }

  static std::string due_step(World& world, const PodTruth& pod) {
    const models::slurm::SlurmJob* job = pod.job ? world.slurm().find(*pod.job) : nullptr;
    if (pod.ended() || (pod.deleting && !pod.bound())) return pod.finalizer ? "let go" : "";
    if (pod.deleting) return "";
    if (!pod.job) return pod.scheduled_reason.empty() ? "submitted" : "";
    if (job == nullptr) return "";
    if (!pod.bound() && job->state == "RUNNING") return node_can(world, pod, *job) ? "bound" : "";
    if (pod.bound() && !job->live()) return "removed";
    return "";
  }

  // False if the pod has claims, or its node is unusable or has no room.
  static bool node_can(World& world, const PodTruth& pod, const models::slurm::SlurmJob& job) {
    if (!pod.claims.empty()) return false;
    const std::string name = world.kube_name(job.nodes.front());
    const NodeTruth& node = world.node(name);
    if (!node.in_kube || node.cordoned || !node.ready) return false;
    return world.has_room(name, pod);
  }

  base::Duration soon_ = kSoon;
  std::map<std::string, std::pair<std::string, base::Instant>> since_;
  std::map<std::string, bool> usable_;  // by Kubernetes node
  std::map<std::string, base::Instant> to_be_drained_by_;
};

}  // namespace

std::unique_ptr<Invariant> waiting_delays_nobody() {
  return std::make_unique<Delays>();
}

}  // namespace sim
