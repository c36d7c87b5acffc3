// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slurm/job_views.h"

#include <optional>
#include <string>

namespace bridge {

// Why a pod may be removed: a statement that Slurm made about its job. There is no other way to
// build one than from such a statement, so nothing can be deleted on a doubt.
struct JobEnded {
  // What was said: the state of the job, or that there is no such job any more.
  enum class By { state, absence };

  slurm::JobId job;
  std::string statement;  // "Slurm job 7 was cancelled"
  By by = By::state;
};

// What the rest of the picture says, for the one case in which absence is evidence.
struct Surroundings {
  // Slurm still knows the job of a pod that was bound earlier than this one: its memory reaches
  // back far enough to know this one's too, if there were one. A controller that was started with
  // an empty state, or a wrong address, knows only jobs that were made since.
  bool remembers_older = false;
};

// Slurm was asked and did not know the job.
bool unknown(const slurm::JobView* view);

// When is a pod removed? Only for what this returns.
//
// A terminal or suspended state of the job is a statement. An id that Slurm does not know is one
// only when it was said twice and Slurm still remembers jobs of ours that are as old: a controller
// that lost its state, or a wrong address, knows none of them. No answer, an error or a job that
// was not asked for yet says nothing.
std::optional<JobEnded> job_ended(slurm::JobId job,
                                  const slurm::JobView* view,
                                  const Surroundings& around);

// Whether the job still holds, or will hold, something in Slurm that has to be given back.
// Empty: not known (yet).
std::optional<bool> job_is_live(const slurm::JobView* view);

}  // namespace bridge
