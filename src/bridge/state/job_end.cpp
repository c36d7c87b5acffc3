// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/job_end.h"

#include <fmt/format.h>

namespace bridge::state {
namespace {

// Empty for states in which the pod may stay.
std::string_view verb_of(slurm::JobState state) {
  using slurm::JobState;
  switch (state) {
    case JobState::completed: return "has completed";
    case JobState::cancelled: return "was cancelled";
    case JobState::failed: return "has failed";
    case JobState::timeout: return "reached its time limit";
    case JobState::node_fail: return "lost its node";
    case JobState::preempted: return "was preempted";
    case JobState::boot_fail: return "could not boot its node";
    case JobState::deadline: return "missed its deadline";
    case JobState::out_of_memory: return "ran out of memory";
    case JobState::suspended: return "was suspended";
    case JobState::pending:
    case JobState::running:
    case JobState::unknown: return "";
  }
  return "";
}

std::string disruption(slurm::JobState state) {
  using slurm::JobState;
  switch (state) {
    case JobState::preempted: return "PreemptedBySlurm";
    case JobState::node_fail:
    case JobState::boot_fail: return "NodeFailedInSlurm";
    case JobState::suspended: return "SuspendedBySlurm";
    default: return "";
  }
}

JobEnded ended_as(slurm::JobId job, slurm::JobState state, std::string_view verb) {
  return {job, fmt::format("Slurm job {} {}", job, verb), JobEnded::By::state, disruption(state)};
}

}  // namespace

bool LossEvidence::absence_counts() const {
  return older_job.has_value() && loss == StateLoss::isolated;
}

bool is_unknown_to_slurm(const slurm::JobView* view) {
  return view != nullptr && view->knowledge == slurm::JobView::Knowledge::unknown_to_slurm;
}

std::optional<JobEnded> job_ended(slurm::JobId job,
                                  const slurm::JobView* view,
                                  const LossEvidence& around) {
  if (view == nullptr) return std::nullopt;
  switch (view->knowledge) {
    case slurm::JobView::Knowledge::unasked: return std::nullopt;
    case slurm::JobView::Knowledge::known: {
      const std::string_view verb = verb_of(view->state);
      if (verb.empty()) return std::nullopt;
      return ended_as(job, view->state, verb);
    }
    case slurm::JobView::Knowledge::unknown_to_slurm:
      if (view->times_unknown < kUnknownOftenEnough || !around.absence_counts())
        return std::nullopt;
      return JobEnded{
          job, fmt::format("Slurm no longer knows job {}", job), JobEnded::By::absence, ""};
  }
  return std::nullopt;
}

std::optional<JobEnded> node_taken(slurm::JobId job,
                                   const slurm::JobView& view,
                                   bool has_its_node) {
  if (view.known(slurm::JobState::pending)) {
    return JobEnded{job,
                    fmt::format("Slurm job {} waits again and has no node any more", job),
                    JobEnded::By::state,
                    "RequeuedBySlurm"};
  }
  if (!view.placed() || has_its_node) return std::nullopt;
  return JobEnded{job,
                  fmt::format("Slurm job {} no longer has this pod's node", job),
                  JobEnded::By::state,
                  "NodeTakenBySlurm"};
}

std::optional<JobEnded> accounted_end(slurm::JobId job, slurm::JobState state) {
  if (!slurm::is_over(state) || state == slurm::JobState::node_fail) return std::nullopt;
  JobEnded end = ended_as(job, state, verb_of(state));
  end.statement += ", as accounting remembers";
  end.by = JobEnded::By::accounting;
  return end;
}

std::optional<bool> job_is_live(const slurm::JobView* view) {
  if (view == nullptr || view->knowledge == slurm::JobView::Knowledge::unasked) return std::nullopt;
  if (view->knowledge == slurm::JobView::Knowledge::unknown_to_slurm) return false;
  if (view->state == slurm::JobState::unknown) return std::nullopt;
  return slurm::is_live(view->state);
}

}  // namespace bridge::state
