// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace sim {
namespace {

// A pod that the bridge deletes because its job was preempted or its node failed has the condition
// DisruptionTarget; a pod whose job ended otherwise does not. Each has a grace period.
class Disruptions final : public Invariant {
 public:
  std::string_view name() const override { return "I12"; }
  std::string_view sentence() const override {
    return "a pod that is not to blame for its end says so, and has its time to end";
  }

  void job(World&, const models::slurm::JobChange& change) override {
    if (change.what == "submitted") states_[change.job->id].clear();
    states_[change.job->id].insert(change.job->state);
  }

  void pod(World& world, const PodTruth* before, const PodTruth* after) override {
    if (world.acting().empty() || before == nullptr || before->deleting || before->ended()) return;
    if (!before->bound() || (after != nullptr && !after->deleting)) return;
    const std::string who = fmt::format("{} deletes {}", world.acting(), before->full_name());
    if (after == nullptr || after->at_once)
      return world.broken(*this, who + " without giving it time");
    const models::slurm::SlurmJob* job = before->job ? world.slurm().find(*before->job) : nullptr;
    // After a crash of slurmctld the job's state may differ from the one that caused the delete.
    if (job == nullptr || !world.is_of(*job, before->uid) || world.slurm_crashed()) return;
    const bool disrupted = job->state == "PREEMPTED" || job->state == "NODE_FAIL";
    if (disrupted && after->disruption.empty()) {
      return world.broken(*this,
                          fmt::format("{}, whose job is {}, without a word", who, job->state));
    }
    const bool was_suspended = states_[job->id].contains("SUSPENDED");
    if (!disrupted && !was_suspended && !after->disruption.empty()) {
      world.broken(
          *this,
          fmt::format(
              "{} as disrupted ({}), and its job is {}", who, after->disruption, job->state));
    }
  }

 private:
  std::map<std::uint32_t, std::set<std::string>> states_;
};

}  // namespace

std::unique_ptr<Invariant> disruptions_are_told() {
  return std::make_unique<Disruptions>();
}

}  // namespace sim
