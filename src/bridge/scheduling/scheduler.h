// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/runtime/role_context.h"
#include "bridge/scheduling/decision.h"
#include "bridge/scheduling/explainer.h"
#include "bridge/scheduling/facts_reader.h"
#include "bridge/scheduling/node_choice.h"
#include "bridge/scheduling/owners.h"
#include "bridge/scheduling/pending_job_updater.h"
#include "bridge/scheduling/placer.h"
#include "bridge/scheduling/pod_record.h"
#include "bridge/scheduling/submitter.h"
#include "bridge/scheduling/volumes.h"
#include "bridge/scheduling/waiting_reasons.h"
#include "bridge/state/cluster_state.h"

#include <map>
#include <memory>

namespace bridge::scheduling {

// The scheduler role. For each pod it reads the facts (FactsReader), decides the next step
// (next_scheduling_step), and executes the step with Submitter, Placer or Explainer.
//
// Guarantees  one job per pod, whichever requests or answers are lost: after a submit whose outcome
//             is unknown, and for pods that are older than this process, no job is submitted before
//             every job that was live in Slurm since then has been examined. One step at a time per
//             pod.
// Does not    keep durable state: the records only save requests.
class Scheduler {
 public:
  Scheduler(runtime::RoleContext context,
            state::ClusterState& cluster,
            const state::StateLossDetector& losses);

  // Subscribes to changes of the cluster state. Call before the stores are filled.
  void start();
  // No new step begins after this.
  void stop() { queue_.stop(); }
  // For the end of a leadership: jobs of this process that their pods do not name are written onto
  // the pods or cancelled. Returns when none is left, or at the deadline.
  net::Task<void> finish(base::Instant deadline);
  // Runs failed steps again without back-off. Called when Kubernetes or Slurm answers again.
  void retry_failed() { queue_.retry_failed(); }
  // Reads the reasons of pending jobs from Slurm, until cancelled.
  net::Task<void> explain_waiting() { return waiting_.run(); }

 private:
  net::Task<kube::Requeue> run(kube::ObjectKey key);
  net::Task<kube::Requeue> reconcile(kube::ObjectKey key);
  // The pod no longer exists, or another pod has its name: cancels the jobs that this process
  // submitted for it.
  net::Task<kube::Requeue> forget(kube::ObjectKey key);
  // By the API server's clock, which may differ from ours.
  bool is_older_than_this_process(const kube::Pod& pod) const;
  PodRecord& remember(const kube::ObjectKey& key, const kube::Pod& pod);
  PodRecord* record_of(const kube::ObjectKey& key);
  net::Task<base::Result<slurm::JobRequest>> request_for(std::shared_ptr<const kube::Pod> pod);
  Decision decide(const kube::Pod& pod,
                  PodRecord& record,
                  const base::Result<slurm::JobRequest>& request,
                  const FactsReader::Prepared& prepared);
  // Decides and executes. Facts that need I/O (nodes, volumes) are read when a decision requires
  // them; then the decision is made again in the same run.
  net::Task<kube::Requeue> decide_and_act(std::shared_ptr<const kube::Pod> pod,
                                          PodRecord& record,
                                          const base::Result<slurm::JobRequest>& request);
  net::Task<kube::Requeue> carry_out(std::shared_ptr<const kube::Pod> pod,
                                     PodRecord& record,
                                     Step step);
  net::Task<kube::Requeue> nothing_to_do(std::shared_ptr<const kube::Pod> pod, PodRecord& record);
  net::Task<kube::Requeue> cancel_own(std::shared_ptr<const kube::Pod> pod,
                                      PodRecord& record,
                                      slurm::JobId job);

  runtime::RoleContext context_;
  state::ClusterState& cluster_;
  PodQueue queue_;
  std::map<kube::ObjectKey, PodRecord> records_;
  base::Instant started_;
  base::WallTime started_at_;
  OwnerReader owners_;
  VolumeReader volumes_;
  NodeChoice choice_;
  WaitingReasons waiting_;
  Explainer explainer_;
  Submitter submitter_;
  Placer placer_;
  PendingJobUpdater updater_;
  FactsReader facts_;
};

}  // namespace bridge::scheduling
