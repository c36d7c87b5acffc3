// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/state/cohort.h"
#include "slurm/mirror/job_views.h"

#include <cstdint>
#include <optional>
#include <string>

namespace bridge::state {

// Why a pod may be removed: a statement of Slurm about its job. It is built only from such a
// statement, so that no pod is deleted in doubt.
struct JobEnded {
  // The evidence: state or nodes of the job; the job is unknown to Slurm and has provably ended; or
  // accounting recorded the end of a job that is unknown to Slurm.
  enum class By { state, absence, accounting };

  slurm::JobId job;
  std::string statement;  // "Slurm job 7 was cancelled"
  By by = By::state;
  // For an end that Slurm caused: the reason of the pod's condition DisruptionTarget, by which a
  // Job's podFailurePolicy distinguishes it from a failure. Empty: the pod gets no such condition.
  std::string disruption;
};

// What our other jobs prove about a job that is unknown to Slurm.
struct LossEvidence {
  // A witness: a job that Slurm still knows, of a pod that was bound before this pod was created.
  // Slurm's memory then reaches back far enough to include this pod's job. A slurmctld that was
  // started with an empty state, or at a wrong address, knows only jobs that were submitted since.
  std::optional<slurm::JobId> older_job = {};
  // Whether Slurm lost so many of our jobs that the absence of this one proves nothing. Evaluated
  // only for a bound pod.
  StateLoss loss = StateLoss::isolated;

  bool absence_counts() const;
};

// How many consecutive answers without the id are needed before its absence counts.
inline constexpr std::uint32_t kUnknownOftenEnough = 2;

// Slurm answered without the job. False without an answer.
bool is_unknown_to_slurm(const slurm::JobView* view);

// Whether the job has ended, or was suspended, by Slurm's answers. Together with node_taken() and
// accounted_end() it decides when a pod is removed.
//
// A terminal or suspended state is proof. An unknown id is proof only after kUnknownOftenEnough
// answers and if Slurm still knows jobs of ours that are as old, at least as many as it lost: a
// slurmctld with a lost or old state, or at a wrong address, does not. An error, no answer, and a
// job that was not polled yet prove nothing.
std::optional<JobEnded> job_ended(slurm::JobId job,
                                  const slurm::JobView* view,
                                  const LossEvidence& around);

// The job does not hold the node of its bound pod any more: it runs on other nodes, or is pending
// again. Slurm may give the node to another job.
std::optional<JobEnded> node_taken(slurm::JobId job, const slurm::JobView& view, bool has_its_node);

// The end that accounting recorded for a job that is unknown to Slurm. Empty for NODE_FAIL, which
// slurmdbd also records for jobs whose slurmctld lost its state.
std::optional<JobEnded> accounted_end(slurm::JobId job, slurm::JobState state);

// Whether the job holds, or will hold, resources in Slurm that have to be released. Empty: unknown.
std::optional<bool> job_is_live(const slurm::JobView* view);

}  // namespace bridge::state
