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

// The scheduler role. For each pod it reads the facts (FactsReader), asks next_scheduling_step() for the next step, and
// has that step carried out by Submitter, Placer or Explainer.
//
// Guarantees  one job per pod whatever is lost on the way: after a submit whose outcome is unknown, and for pods that
//             are older than this process, no job is submitted before every job that was live in Slurm since then has
//             been examined. One step at a time per pod.
// Does not    keep state that matters: the records only save requests.
class Scheduler {
 public:
  Scheduler(runtime::RoleContext context,
            state::ClusterState& cluster,
            const state::StateLossDetector& losses);

  // Begins to listen. Call before the stores are filled.
  void start();
  // No new step begins after this.
  void stop() { queue_.stop(); }
  // For the end of a leadership: jobs of this process that their pods do not name are written onto the pods or
  // cancelled. Returns when none is left, or at the deadline.
  net::Task<void> finish(base::Instant deadline);
  // One of the two systems answers again.
  void retry_failed() { queue_.retry_failed(); }
  // Reads from Slurm why jobs wait, until cancelled.
  net::Task<void> explain_waiting() { return waiting_.run(); }

 private:
  net::Task<kube::Requeue> run(kube::ObjectKey key);
  net::Task<kube::Requeue> reconcile(kube::ObjectKey key);
  // The pod is gone, or another pod has its name: cancels the jobs that this process made for it.
  net::Task<kube::Requeue> forget(kube::ObjectKey key);
  PodRecord& remember(const kube::ObjectKey& key, const kube::Pod& pod);
  PodRecord* record_of(const kube::ObjectKey& key);
  net::Task<base::Result<slurm::JobRequest>> request_for(std::shared_ptr<const kube::Pod> pod);
  Decision decide(const kube::Pod& pod,
                  PodRecord& record,
                  const base::Result<slurm::JobRequest>& request,
                  const FactsReader::Prepared& prepared);
  // Decides and carries out. Facts that need I/O (nodes, volumes) are read when a decision asks for them; then the
  // decision is made again in the same run.
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
