// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/state/cluster_state.h"
#include "bridge/state/cohort.h"
#include "bridge/state/job_end.h"
#include "bridge/state/old_jobs.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace bridge::state {

// Collects the evidence whether a job that is unknown to Slurm has ended, or Slurm lost its state.
//
// Guarantees  all jobs are read once per answer of Slurm and kind of evidence, not once per pod. An
//             older_job is valid at the time of the call; newer evidence may be missing until
//             Slurm's next answer.
// Does not    change the cluster state.
class StateLossDetector {
 public:
  explicit StateLossDetector(ClusterState& cluster) : cluster_(cluster) {}

  // What our other jobs prove about the absence of the job that this pod names.
  LossEvidence evidence_for(const kube::Pod& pod) const;
  // How often all jobs were read.
  std::size_t full_scans() const { return full_scans_; }

 private:
  // The job as a witness, if it was confirmed at this instant or later.
  std::optional<OldJob> old_job(slurm::JobId id, base::Instant asked_since) const;
  // All witnesses that were confirmed at this instant or later. Rebuilt after each answer of Slurm.
  const OldJobs& old_jobs(base::Instant asked_since) const;
  // A job of ours that Slurm still knows and that is older than this pod.
  std::optional<slurm::JobId> older_job(const kube::Pod& pod) const;
  StateLoss loss_for(const kube::Pod& pod) const;
  bool is_lost(slurm::JobId job, const kube::Pod& pod) const;
  // When this process first knew that the job is lost.
  base::Instant lost_since(slurm::JobId job) const;
  CohortJob cohort_job(slurm::JobId job, const kube::Pod& pod, base::Instant latest_loss) const;
  // The jobs of all running pods. Rebuilt after each answer of Slurm.
  const Cohort& cohort() const;

  ClusterState& cluster_;
  mutable std::map<base::Instant, OldJobs> old_jobs_;
  mutable std::uint64_t old_jobs_after_ = 0;  // Mirror::answers() when old_jobs_ was built
  mutable std::optional<Cohort> cohort_;
  mutable std::uint64_t cohort_after_ = 0;
  mutable std::size_t full_scans_ = 0;
};

}  // namespace bridge::state
