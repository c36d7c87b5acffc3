// SPDX-License-Identifier: Apache-2.0
#include "request_target.h"
#include "world.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace sim {
namespace {

// A pod has a node only while its job has it: the bridge never ends the job of a running pod, and
// it deletes a pod whose job has ended.
class Holds final : public Invariant {
 public:
  std::string_view name() const override { return "I2"; }
  std::string_view sentence() const override {
    return "a pod holds a node only while its job does";
  }

  void job(World& world, const models::slurm::JobChange& change) override {
    if (change.what == "purged" && world.nobody_runs()) {
      for (const std::string& uid : world.members(*change.job))
        purged_unseen_.insert({change.job->id, uid});
    }
    if (change.what != "ended" || world.acting().empty() || world.id_changed_hands(*change.job))
      return;
    for (const std::string& uid : world.members(*change.job)) {
      const PodTruth* pod = world.pod(uid);
      if (pod == nullptr || pod->job != change.job->id) continue;
      if (pod->bound() && !pod->ended() && !given_up(world, *pod)) {
        world.broken(*this,
                     fmt::format("{} ends job {} while {} runs under it",
                                 world.acting(),
                                 change.job->id,
                                 pod->full_name()));
      } else if (!pod->bound() && !pod->deleting && !pod->ended()) {
        world.broken(*this,
                     fmt::format("{} ends job {}, for which {} waits",
                                 world.acting(),
                                 change.job->id,
                                 pod->full_name()));
      }
    }
  }

  void moment(World& world) override {
    for (const auto& [name, node] : world.nodes()) {
      if (!node.ready && (node.drained || node.down)) given_up_[name] = world.now();
    }
  }

  std::optional<std::string> unfinished(World& world) override {
    for (const auto& [uid, pod] : world.pods()) {
      if (pod.scheduler != kScheduler || !pod.bound() || pod.ended() || pod.deleting) continue;
      const models::slurm::SlurmJob* job = pod.job ? world.slurm().find(*pod.job) : nullptr;
      const bool own = job != nullptr && world.is_of(*job, uid);
      // The job is unknown to Slurm without proof that it ended: the pod stays (in doubt).
      if (!own && pod.job && (is_left_alone(world, pod) || !has_witness(world, pod))) continue;
      if (!own || !job->live())
        return fmt::format("{} runs on {} without a job", pod.full_name(), pod.node);
    }
    return std::nullopt;
  }

 private:
  // The largest age of the state on which a request may be based.
  static constexpr auto kOldNews = std::chrono::seconds(60);

  // The pod is being deleted on a node that is not ready and that Slurm does not allocate.
  bool given_up(World& world, const PodTruth& pod) const {
    const auto last = given_up_.find(pod.node);
    return pod.deleting && last != given_up_.end() && world.now() < last->second + kOldNews;
  }

  // The pod's job was lost in a state loss, for which the bridge does not delete the pod.
  bool is_left_alone(World& world, const PodTruth& pod) const {
    return world.vanished(*pod.job, pod.uid) || world.lost_at_failback(*pod.job, pod.uid) ||
           (pod.job_shown == "LostBySlurm" &&
            (world.slurm_crashed() || looks_like_a_loss(world, pod)));
  }

  // While no bridge process ran, the pod's job and others ended and were purged, more jobs than are
  // still known. Without accounting this cannot be distinguished from a state loss.
  bool looks_like_a_loss(World& world, const PodTruth& pod) const {
    std::size_t lost = 0;
    std::size_t known = 0;
    for (const auto& [uid, other] : world.pods()) {
      if (!other.bound() || other.ended() || other.deleting || !other.job) continue;
      const models::slurm::SlurmJob* job = world.slurm().find(*other.job);
      const bool lives = job != nullptr && job->live() && world.is_of(*job, uid);
      if (lives && other.bound_since < pod.bound_since) ++known;
      if (!lives && purged_unseen_.contains({*other.job, uid})) ++lost;
    }
    return purged_unseen_.contains({*pod.job, pod.uid}) && lost > known;
  }

  // A witness: a live job of a pod that was bound before this pod was created.
  static bool has_witness(World& world, const PodTruth& pod) {
    return std::ranges::any_of(world.pods(), [&](const auto& entry) {
      const PodTruth& other = entry.second;
      if (!other.bound() || other.ended() || !other.job || other.bound_since >= pod.created)
        return false;
      const models::slurm::SlurmJob* job = world.slurm().find(*other.job);
      return job != nullptr && job->live() && world.is_of(*job, other.uid);
    });
  }

  std::map<std::string, base::Instant> given_up_;
  std::set<std::pair<std::uint32_t, std::string>> purged_unseen_;  // jobs with their pods
};

}  // namespace

std::unique_ptr<Invariant> holds_while_its_job_does() {
  return std::make_unique<Holds>();
}

}  // namespace sim
