// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/state/job_end.h"
#include "kube/api/pod.h"
#include "slurm/mirror/job_views.h"

#include <optional>
#include <variant>

namespace bridge::pods {

// Keeps a pod and its job consistent: the pod of a job that ended is deleted, the job of a pod that
// ended is released.

struct SyncFacts {
  explicit SyncFacts(const kube::Pod& of) : pod(of) {}

  const kube::Pod& pod;
  std::optional<slurm::JobId> named;  // the job of the pod's label
  std::optional<bool>
      named_is_ours;  // whether that job was submitted for this pod; empty: not known
  // The job of that id was not submitted for this pod: the id was issued a second time.
  bool job_id_was_reused = false;
  const slurm::JobView* view = nullptr;  // of the named job
  state::LossEvidence around;
  // Whether the pod's node is one of the running job's nodes; empty: not known.
  std::optional<bool> has_its_node;
  // The identity of the job contains only this pod. Such a job has one node, so a running job that
  // has another node was started a second time.
  bool is_only_pod = false;
  // For a while the job has been pending or, as the job of only this pod, on another node.
  // slurmctld came back with an older state and may come back with the newer one.
  bool lost_node_for_good = false;
  // The end of the job in accounting, if the job is unknown to Slurm or its id was reused.
  std::optional<state::JobEnded> accounted;
  // The pod's node does not exist or is not Ready: no kubelet may be there to stop the pod.
  bool node_is_dead = false;
  // Slurm starts no job on that node.
  bool node_is_drained = false;
};

struct Keep {};
// Delete the pod, gracefully.
struct Remove {
  state::JobEnded because;
};
// Cancel the job, if there is one to cancel, and then remove the bridge's finalizers.
struct Release {
  std::optional<slurm::JobId> job;
};
using SyncStep = std::variant<Keep, Remove, Release>;

// Returns the next step for one pod.
//
// Guarantees  equal facts give equal steps; a step that the facts show as done is not repeated; a
//             job is released only when its pod has ended, was never started, or is being deleted
//             on a dead node on which Slurm starts no job; a job of another pod is never cancelled.
// Does not    read a clock, do I/O or keep state between two calls.
SyncStep next_sync_step(const SyncFacts& facts);

// A bound pod whose job is pending again or was started a second time, on another node.
bool has_moved(const SyncFacts& facts);

// A running pod whose job is unknown to Slurm, or whose job id was reused, without proof that the
// job ended: Slurm may have lost its state, or the wrong Slurm answers. Such a pod is kept and
// reported.
bool is_in_doubt(const SyncFacts& facts);

}  // namespace bridge::pods
