// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/pod_record.h"

#include "bridge/marks/named_job.h"
#include "bridge/scheduling/timing.h"

#include <fmt/format.h>

#include <algorithm>

namespace bridge::scheduling {
namespace {

using namespace std::chrono_literals;

constexpr int kMostDoublings = 6;

}  // namespace

void PodRecord::observe(const kube::Pod& pod, base::Instant now) {
  const auto names = marks::named_job(pod);
  // The API server executed the label patch, also if its answer was lost. Another instance may
  // remove the label and cancel the job before the next step of this one.
  if (made && names == made->id) made.reset();
  if (named && named != names && !pod.bound()) {
    std::erase_if(unlabelled_jobs, [&](const auto& entry) {
      return entry.second + kUnlabelledJobIsCancelledWithin <= now;
    });
    unlabelled_jobs.insert_or_assign(*named, now);
    // The job may be live, and the mirror no longer follows it. The label was removed by this
    // process with a request whose answer was lost, by another process, or by a user.
    scan_required_since = std::max(scan_required_since, now);
  }
  named = names;
}

bool PodRecord::may_be_cancelled(slurm::JobId job, base::Instant now) const {
  return std::ranges::any_of(unlabelled_jobs, [&](const auto& entry) {
    return now < entry.second + (entry.first == job ? kUnlabelledJobIsCancelledWithin
                                                    : kSurplusJobIsCancelledWithin);
  });
}

void PodRecord::remember_released(slurm::JobId job,
                                  base::Instant now,
                                  const std::function<bool(slurm::JobId)>& is_reported) {
  std::erase_if(released_jobs, [&](const auto& entry) {
    return entry.second + kMaxAnswerAge < now && !is_reported(entry.first);
  });
  released_jobs.insert_or_assign(job, now);
}

std::set<slurm::SlurmNodeName> PodRecord::avoided(
    base::Instant now, const std::function<bool(const slurm::SlurmNodeName&)>& is_unfit) {
  std::erase_if(avoid, [&](const auto& entry) {
    const auto& [name, node] = entry;
    return node.until <= now || (node.only_while_unfit && !is_unfit(name));
  });
  std::set<slurm::SlurmNodeName> names;
  for (const auto& [name, node] : avoid) names.insert(name);
  return names;
}

// A single failed job may have a temporary cause. After the second, a new job probably fails for
// the same cause: an administrator has to act, and jobs without delay would load slurmctld.
void PodRecord::delay_next_job(writes::Cause cause, std::string_view because, base::Instant now) {
  // A submit whose answer was lost may have created a job long after the pod was labelled with
  // another one.
  scan_required_since = std::max(scan_required_since, now);
  if (last_failed_job_at + kForgetFailedJobsAfter < now) failed_jobs_in_a_row = 0;
  last_failed_job_at = now;
  if (++failed_jobs_in_a_row < 2) return;
  const int doublings = std::min(failed_jobs_in_a_row - 2, kMostDoublings);
  const auto delay = std::min<base::Duration>(kFirstJobDelay * (1 << doublings), kLongestJobDelay);
  submit_blocker = writes::explain(
      cause,
      fmt::format("{}. That was the job number {} in a row that came to nothing; the next one is "
                  "made {} s later.",
                  because,
                  failed_jobs_in_a_row,
                  std::chrono::duration_cast<std::chrono::seconds>(delay).count()));
  blocked_until = now + delay;
}

}  // namespace bridge::scheduling
