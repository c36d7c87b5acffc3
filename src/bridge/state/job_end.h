// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/state/cohort.h"
#include "slurm/mirror/job_views.h"

#include <cstdint>
#include <optional>
#include <string>

namespace bridge::state {

// Why a pod may be removed: a statement that Slurm made about its job. There is no other way to
// build one than from such a statement, so nothing can be deleted on a doubt.
struct JobEnded {
  // What was said: the state or place of the job, that there is no such job any more, or how it
  // ended, by accounting, when Slurm itself has forgotten it.
  enum class By { state, absence, accounting };

  slurm::JobId job;
  std::string statement;  // "Slurm job 7 was cancelled"
  By by = By::state;
  // Where the pod is not to blame: the reason of its condition DisruptionTarget, by which a Job's
  // podFailurePolicy can tell. Empty for an end that the pod or its owner brought about.
  std::string disruption;
};

// What the rest of the cluster state says, for the one case in which absence is evidence.
struct LossEvidence {
  // A job that Slurm still knows, of a pod that was bound before this one was created: Slurm's
  // memory reaches back far enough to know this pod's job too, if there were one. A controller that
  // was started with an empty state, or a wrong address, knows only jobs that were made since.
  std::optional<slurm::JobId> older_job = {};
  // Whether it lost so many jobs of ours that this one's absence says nothing. Of a bound pod.
  StateLoss loss = StateLoss::isolated;

  bool absence_counts() const;
};

// How often in a row an id must have been answered as unknown before that counts.
inline constexpr std::uint32_t kUnknownOftenEnough = 2;

// Slurm was asked and did not know the job.
bool is_unknown_to_slurm(const slurm::JobView* view);

// When is a pod removed? Only for what this returns.
//
// A terminal or suspended state of the job is a statement. An id that Slurm does not know is one
// only when it was said twice and Slurm still remembers jobs of ours that are as old, and as many
// as it lost: a controller that lost its state, came back with an old one, or has a wrong address,
// does not. No answer, an error or a job that was not asked for yet says nothing.
std::optional<JobEnded> job_ended(slurm::JobId job,
                                  const slurm::JobView* view,
                                  const LossEvidence& around);

// A pod is bound under this job, on a node that is not among those that the running job has, or the
// job waits again: somebody took the node away, and may give it to others.
std::optional<JobEnded> node_taken(slurm::JobId job, const slurm::JobView& view, bool has_its_node);

// What accounting says of a job that Slurm has forgotten, if that is an end that somebody caused.
// A failed node is none: slurmdbd also writes that of jobs whose controller lost its state.
std::optional<JobEnded> accounted_end(slurm::JobId job, slurm::JobState state);

// Whether the job still holds, or will hold, something in Slurm that has to be given back.
// Empty: not known (yet).
std::optional<bool> job_is_live(const slurm::JobView* view);

}  // namespace bridge::state
