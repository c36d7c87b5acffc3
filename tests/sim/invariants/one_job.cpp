// SPDX-License-Identifier: Apache-2.0
#include "request_target.h"
#include "world.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace sim {
namespace {

// A pod is bound under exactly one job: the job of its label, which has the pod's identity and ran
// on the node. A second live job is cancelled, as a surplus job or as an orphan, and no pod is
// bound under it.
class OneJob final : public Invariant {
 public:
  std::string_view name() const override { return "I1"; }
  std::string_view sentence() const override { return "a pod is bound under exactly one job"; }

  void job(World& world, const models::slurm::JobChange& change) override {
    if (change.what == "submitted") submitted(world, *change.job);
    if (change.what != "started") return;
    for (const std::string& uid : world.members(*change.job)) {
      for (const std::string& node : change.job->nodes)
        had_.insert({uid, change.job->id, world.kube_name(node)});
    }
  }

  void pod(World& world, const PodTruth* before, const PodTruth* after) override {
    if (world.acting().empty() || before == nullptr || after == nullptr) return;
    if (!before->bound() && after->bound()) bound(world, *after);
    if (before->bound() && !before->ended() && before->job && before->job != after->job) {
      world.broken(*this,
                   fmt::format("{} takes job {} off {} while that is bound",
                               world.acting(),
                               *before->job,
                               after->full_name()));
    }
  }

  std::optional<std::string> unfinished(World& world) override {
    std::map<std::string, std::set<std::uint32_t>> live;
    for (const auto& [id, job] : world.slurm().jobs()) {
      if (!job.live()) continue;
      for (const std::string& uid : world.members(job)) live[uid].insert(id);
    }
    for (const auto& [uid, jobs] : live) {
      if (jobs.size() < 2) continue;
      const PodTruth* pod = world.pod(uid);
      return fmt::format("{} has jobs {}", pod ? pod->full_name() : uid, fmt::join(jobs, " and "));
    }
    return std::nullopt;
  }

 private:
  // A scheduler searches for an existing job before it submits one. With a single scheduler, no
  // other process can have submitted a job in between, and no request takes longer than kLongAgo,
  // not even one of the previous process (with a pause right before the submit: seed 601). After a
  // crash of slurmctld, lost jobs may return; then nothing is checked.
  void submitted(World& world, const models::slurm::SlurmJob& made) {
    const base::Instant now = world.now();
    for (const std::string& uid : world.members(made)) {
      const auto rival = std::ranges::find_if(world.slurm().jobs(), [&](const auto& entry) {
        const auto& [id, job] = entry;
        const auto at = submitted_at_.find(id);
        return id != made.id && job.live() && world.is_of(job, uid) && at != submitted_at_.end() &&
               at->second + kLongAgo < now;
      });
      if (rival == world.slurm().jobs().end() || world.maker(made.id).empty()) continue;
      if (world.slurm_crashed() || !one_scheduler(world)) continue;
      const PodTruth* pod = world.pod(uid);
      world.broken(*this,
                   fmt::format("job {} is made for {}, whose job {} has been there for long",
                               made.id,
                               pod ? pod->full_name() : uid,
                               rival->first));
    }
    submitted_at_[made.id] = now;
  }

  static bool one_scheduler(const World& world) {
    return world.plan().topology == Topology::one || world.plan().topology == Topology::separate;
  }

  void bound(World& world, const PodTruth& pod) {
    if (!pod.job)
      return world.broken(*this, fmt::format("{} is bound without a job", pod.full_name()));
    if (!had_.contains({pod.uid, *pod.job, pod.node})) {
      return world.broken(*this,
                          fmt::format("{} is bound to {} under job {}, which is not its own there",
                                      pod.full_name(),
                                      pod.node,
                                      *pod.job));
    }
    if (!pod.finalizer)
      return world.broken(*this, fmt::format("{} is bound without finalizer", pod.full_name()));
    if (pod.node_annotation != pod.node)
      world.broken(*this, fmt::format("{} is bound without its annotation", pod.full_name()));
  }

  struct Had {
    std::string uid;
    std::uint32_t job;
    std::string node;
    friend auto operator<=>(const Had&, const Had&) = default;
  };
  std::set<Had> had_;
  std::map<std::uint32_t, base::Instant> submitted_at_;

  static constexpr auto kLongAgo = std::chrono::seconds(25);
};

}  // namespace

std::unique_ptr<Invariant> one_job_per_pod() {
  return std::make_unique<OneJob>();
}

}  // namespace sim
