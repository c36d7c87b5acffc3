// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/scheduling/device_classes.h"
#include "bridge/scheduling/explainer.h"
#include "bridge/scheduling/node_choice.h"
#include "bridge/scheduling/owners.h"
#include "bridge/scheduling/pending_job_updater.h"
#include "bridge/scheduling/refusal_cache.h"
#include "bridge/scheduling/submit_queue.h"

#include <functional>
#include <memory>
#include <optional>
#include <variant>

namespace bridge::scheduling {

// Executes the steps of a pod without a job: searches for an existing job and submits a new one.
//
// Expects     records that outlive the returned tasks.
// Guarantees  a submit whose outcome is unknown requires a scan of Slurm's jobs before the next
//             one; pods with equal requests share one refusal; at most a fixed number of submits at
//             a time, in the order of arrival.
class Submitter {
 public:
  struct Parts {
    Explainer& explainer;
    OwnerReader& owners;
    NodeChoice& choice;
    PodQueue& queue;
    FindRecord record_of;
  };

  Submitter(const runtime::RoleContext& context, state::ClusterState& cluster, Parts parts);

  // Starts the task that evaluates the nodes again for pods that fit no node.
  void start();

  // Requests a scan of Slurm's jobs, and explains the wait while Slurm does not answer.
  net::Task<kube::Requeue> look_for_job(std::shared_ptr<const kube::Pod> pod, PodRecord& record);
  // A request that may be sent now, and the place in the submit queue that it has.
  struct Prepared {
    slurm::JobRequest request;
    SubmitQueue::Place place;
  };
  // The record has a new fact for the decision: a submit blocker or a refusal.
  struct Blocked {};
  // Requeue: the pod waits for its turn, or for Slurm's list of nodes.
  using Preparation = std::variant<Prepared, Blocked, kube::Requeue>;
  net::Task<Preparation> prepare(std::shared_ptr<const kube::Pod> pod,
                                 PodRecord& record,
                                 slurm::JobRequest request);
  // Sends a prepared request.
  net::Task<kube::Requeue> submit(std::shared_ptr<const kube::Pod> pod,
                                  PodRecord& record,
                                  slurm::JobRequest request);
  // The pod no longer exists.
  void forget(const kube::ObjectKey& key, const PodRecord& record);

  bool is_called(const kube::ObjectKey& key) const { return submit_queue_.is_called(key); }
  // The run of a pod has ended: requeues the next pods of the submit queue for the free places.
  void run_ended(const kube::ObjectKey& key, bool was_called);

 private:
  net::Task<kube::Requeue> wait_for_nodes(std::shared_ptr<const kube::Pod> pod, PodRecord& record);
  net::Task<kube::Requeue> submit_failed(std::shared_ptr<const kube::Pod> pod,
                                         PodRecord& record,
                                         base::Error error);
  // Excludes the nodes that can never run the pod. Returns an explanation if the pod must not be
  // submitted now.
  net::Task<std::optional<writes::Explanation>> restrict_nodes(std::shared_ptr<const kube::Pod> pod,
                                                               PodRecord& record,
                                                               slurm::JobRequest& request);
  net::Task<void> report_ignored_annotations(std::shared_ptr<const kube::Pod> pod,
                                             PodRecord& record);
  void store_refusal(PodRecord& record, base::Error verdict);
  void wake_pods_of_shape(RequestShape shape, const kube::ObjectKey& taken);
  base::Instant blocked_pod_recheck_at(const kube::Pod& pod, const PodRecord& record) const;
  void node_may_fit(const kube::ObjectKey& key);

  const runtime::RoleContext& context_;
  state::ClusterState& cluster_;
  Explainer& explainer_;
  OwnerReader& owners_;
  PodQueue& queue_;
  FindRecord record_of_;
  NodeChoice& choice_;
  RefusalCache refused_;
  SubmitQueue submit_queue_;
  DeviceClasses device_classes_;
};

}  // namespace bridge::scheduling
