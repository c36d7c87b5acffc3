// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/state/job_end.h"
#include "kube/api/pod.h"
#include "slurm/mirror/job_views.h"

#include <optional>
#include <variant>

namespace bridge::pods {

// Keeping a pod and its job in step, both ways: a job that ended takes its pod along, a pod that
// ended gives its job back.

struct SyncFacts {
  explicit SyncFacts(const kube::Pod& of) : pod(of) {}

  const kube::Pod& pod;
  std::optional<slurm::JobId> named;  // the job of the pod's label
  std::optional<bool>
      named_is_ours;  // whether that job says that it is this pod's; empty: not known
  // The job of that id is somebody else's: the id was given a second time.
  bool job_id_was_reused = false;
  const slurm::JobView* view = nullptr;  // of the named job
  state::LossEvidence around;
  // Whether the pod's node is among those that the running job has; empty: that cannot be told.
  std::optional<bool> has_its_node;
  // The job has been waiting for a while although the pod is bound under it.
  bool waits_again = false;
  // How the job ended, by accounting, if Slurm itself has forgotten it.
  std::optional<state::JobEnded> accounted;
  // Its node is gone or not ready: nobody may be there to end the pod.
  bool node_is_dead = false;
  // Slurm gives that node to nobody.
  bool node_is_drained = false;
};

struct Keep {};
// Delete the pod, gracefully. Cannot be built without Slurm's statement.
struct Remove {
  state::JobEnded because;
};
// Cancel the job, if there is one to cancel, and then let the pod go.
struct Release {
  std::optional<slurm::JobId> job;
};
using SyncStep = std::variant<Keep, Remove, Release>;

// Guarantees  same facts, same step; nothing is asked for that the facts show as done; a job is
//             released only when its pod has really ended, was never started, or is being deleted
//             on a dead node to which Slurm sends nobody else; a job that is not this pod's is
//             never touched.
SyncStep next_sync_step(const SyncFacts& facts);

// A running pod whose job Slurm does not know, or whose id is another job's now, as far as nothing
// says that it ended: Slurm may have lost its state, or we ask the wrong one. Such a pod is left
// alone, and somebody should be told.
bool is_in_doubt(const SyncFacts& facts);

}  // namespace bridge::pods
