// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim {
namespace {

// A healthy pod is deleted only if its job has actually ended.
class Doubt final : public Invariant {
 public:
  std::string_view name() const override { return "I3"; }
  std::string_view sentence() const override {
    return "no healthy pod is deleted because Slurm was unreachable, restarting or vague";
  }

  void job(World& world, const models::slurm::JobChange& change) override {
    if (change.what == "lost") return;
    if (change.job->live() && change.job->state != "SUSPENDED") return;
    for (const std::string& uid : world.members(*change.job))
      stopped_.insert({uid, change.job->id});
  }

  void pod(World& world, const PodTruth* before, const PodTruth* after) override {
    if (world.acting().empty() || before == nullptr) return;
    const bool deleted = !before->deleting && (after == nullptr || after->deleting);
    if (!deleted || before->ended()) return;
    const std::string who = fmt::format("{} deletes {}", world.acting(), before->full_name());
    if (!before->job) return world.broken(*this, who + ", which has no job");
    if (stopped_.contains({before->uid, *before->job})) return;
    if (world.comes_back(*before->job, before->uid)) {
      return world.broken(
          *this, fmt::format("{}: the primary slurmctld still has job {}", who, *before->job));
    }
    if (world.vanished(*before->job, before->uid)) {
      return world.broken(
          *this, fmt::format("{}: Slurm lost most it knew, job {} too", who, *before->job));
    }
    if (before->job_shown == "LostBySlurm" && forgotten(world, *before))
      return world.broken(*this, fmt::format("{}, which it had said to leave alone", who));
    if (!forgotten(world, *before) && !without_its_node(world, *before))
      world.broken(*this, fmt::format("{}, whose job {} never ended", who, *before->job));
  }

 private:
  // Slurm lost this job and kept others.
  static bool forgotten(World& world, const PodTruth& pod) {
    const models::slurm::SlurmJob* job = world.slurm().find(*pod.job);
    return job == nullptr || !world.is_of(*job, pod.uid);
  }

  // Slurm has requeued the job or started it on another node.
  static bool without_its_node(World& world, const PodTruth& pod) {
    const models::slurm::SlurmJob* job = world.slurm().find(*pod.job);
    return pod.bound() &&
           std::ranges::find(job->nodes, world.slurm_name(pod.node)) == job->nodes.end();
  }

  std::set<std::pair<std::string, std::uint32_t>> stopped_;
};

}  // namespace

std::unique_ptr<Invariant> nothing_deleted_on_doubt() {
  return std::make_unique<Doubt>();
}

}  // namespace sim
