// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/runtime/role_context.h"
#include "bridge/scheduling/pod_record.h"
#include "bridge/state/cluster_state.h"
#include "kube/cache/work_queue.h"

#include <memory>
#include <string_view>

namespace bridge::scheduling {

using PodQueue = kube::WorkQueue<kube::ObjectKey>;

// Writes why a pod waits to its condition PodScheduled, and chooses when the pod is requeued.
//
// Expects     a record that outlives the returned task: the queue runs one step of a pod at a time.
// Guarantees  no write for a pod that starts within two seconds, none for an explanation that the
//             pod already shows, and none for a failure that lasts less than ten seconds. One Event
//             for each refusal that is written to the condition.
// Does not    decide: the reason to wait comes from the decision or from a failed step.
class Explainer {
 public:
  Explainer(const runtime::RoleContext& context, state::ClusterState& cluster, PodQueue& queue)
      : context_(context), cluster_(cluster), queue_(queue) {}

  // The pod has to wait: writes the explanation, and requeues the pod for when the reason may end.
  net::Task<kube::Requeue> wait(std::shared_ptr<const kube::Pod> pod,
                                PodRecord& record,
                                writes::Explanation why);
  // The next decision requires an answer of Slurm about the named job.
  net::Task<kube::Requeue> await_answer(std::shared_ptr<const kube::Pod> pod, PodRecord& record);

  struct Failure {
    base::Instant since;
    writes::Explanation why;
  };
  // A step fails repeatedly. The first message of a cause is kept: later messages of the same cause
  // would replace each other.
  net::Task<void> persistent_failure(std::shared_ptr<const kube::Pod> pod,
                                     PodRecord& record,
                                     Failure failure);
  net::Task<kube::Requeue> owners_unreadable(std::shared_ptr<const kube::Pod> pod,
                                             PodRecord& record,
                                             base::Error error);
  // `step`: name of the step that wrote to the API server; a string literal.
  net::Task<kube::Requeue> write_failed(std::string_view step,
                                        std::shared_ptr<const kube::Pod> pod,
                                        PodRecord& record,
                                        base::Error error);
  // Counts and logs the failure; the pod is retried with back-off.
  kube::Requeue step_failed(std::string_view step, const kube::Pod& pod, const base::Error& error);

  // Requeues the pod for the end of its refusal or of its submit blocker.
  void recheck_when_block_ends(const kube::ObjectKey& key, const PodRecord& record);
  // The API server has refused writes to the pod for `holdSeconds`.
  bool write_refused_past_hold(const PodRecord& record) const;

 private:
  net::Task<kube::Requeue> explain(std::shared_ptr<const kube::Pod> pod,
                                   PodRecord& record,
                                   writes::Explanation why);

  const runtime::RoleContext& context_;
  state::ClusterState& cluster_;
  PodQueue& queue_;
};

}  // namespace bridge::scheduling
