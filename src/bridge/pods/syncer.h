// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/pods/sync.h"
#include "bridge/runtime/role_context.h"
#include "bridge/state/cluster_state.h"
#include "bridge/state/state_loss_detector.h"
#include "kube/cache/work_queue.h"

#include <map>
#include <optional>
#include <set>

namespace bridge::pods {

// Synchronizes pods in the role controllers: executes the steps of next_sync_step().
class PodSyncer {
 public:
  // `workers` is the number of pods that are processed at once.
  PodSyncer(runtime::RoleContext context,
            state::ClusterState& cluster,
            const state::StateLossDetector& losses,
            std::size_t workers);

  void start();
  void stop() { queue_.stop(); }
  // Call when one of the two systems answers again.
  void retry_failed() { queue_.retry_failed(); }

  // The number of running pods that are in doubt (is_in_doubt()).
  std::size_t in_doubt() const { return in_doubt_.size(); }

 private:
  // What this process observed about a pod. A new process observes it again.
  struct PodRecord {
    PodRecord() = default;
    explicit PodRecord(kube::Uid of) : uid(std::move(of)) {}

    kube::Uid uid;
    std::optional<base::Instant> moved_since;  // has_moved()
    std::optional<base::Instant> accounting_asked;
    std::optional<state::JobEnded> accounted;
    // Since when the job is unknown to Slurm or its id is reused.
    std::optional<base::Instant> absent_since;
    bool doubt_reported = false;
  };

  net::Task<kube::Requeue> reconcile(kube::ObjectKey key);
  SyncFacts facts_of(const kube::Pod& pod, PodRecord& record);
  net::Task<kube::Requeue> keep(std::shared_ptr<const kube::Pod> pod, const SyncFacts& facts);
  // Reads the end of a job from accounting, at limited intervals. True if this read found an end.
  net::Task<bool> ask_accounting(std::shared_ptr<const kube::Pod> pod, slurm::JobId job);
  // Reads the job from Slurm right before the delete. True if the reason for the delete still
  // holds.
  net::Task<base::Result<bool>> still_so(std::shared_ptr<const kube::Pod> pod,
                                         state::JobEnded because);
  net::Task<base::Result<bool>> has_the_state(std::shared_ptr<const kube::Pod> pod,
                                              slurm::JobId job);
  net::Task<base::Result<bool>> is_absent(std::shared_ptr<const kube::Pod> pod, slurm::JobId job);
  net::Task<base::Result<bool>> still_absent(std::shared_ptr<const kube::Pod> pod,
                                             slurm::JobId job);
  net::Task<base::Result<bool>> is_still_known(slurm::JobId job);
  bool absence_has_lasted(const PodRecord& record) const;
  net::Task<kube::Requeue> remove(std::shared_ptr<const kube::Pod> pod, Remove step);
  net::Task<base::Result<std::shared_ptr<const kube::Pod>>> mark_disrupted(
      std::shared_ptr<const kube::Pod> pod, state::JobEnded because);
  // Patches the pod's status. False if that is forbidden: logged once, retried after a while.
  net::Task<base::Result<bool>> show(std::shared_ptr<const kube::Pod> pod, json::Object patch);
  net::Task<kube::Requeue> release(std::shared_ptr<const kube::Pod> pod, Release step);
  // Cancels the job unless other pods need it. True: the job needs no release any more. False: the
  // end of another pod will release it. Empty: other pods hold it (Stake::holds), so this pod
  // waits.
  net::Task<base::Result<std::optional<bool>>> cancel_unless_shared(
      std::shared_ptr<const kube::Pod> pod, slurm::JobId job);
  bool job_id_was_reused(slurm::JobId job, const kube::Pod& pod) const;
  kube::Requeue failed(std::string_view what, const kube::Pod& pod, const base::Error& error);

  runtime::RoleContext context_;
  state::ClusterState& cluster_;
  const state::StateLossDetector& losses_;
  kube::WorkQueue<kube::ObjectKey> queue_;
  std::map<kube::ObjectKey, PodRecord> records_;
  std::set<kube::ObjectKey> in_doubt_;
  std::set<slurm::JobId> releasing_;  // jobs that are being cancelled on behalf of a pod
  base::Instant status_forbidden_until_ = base::Instant::min();
};

}  // namespace bridge::pods
