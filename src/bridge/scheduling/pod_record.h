// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "bridge/scheduling/request_shape.h"
#include "bridge/scheduling/surplus_job.h"
#include "bridge/scheduling/timing.h"
#include "bridge/writes/causes.h"
#include "kube/api/ids.h"
#include "kube/api/pod.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace bridge::scheduling {

// The scheduler's memory of one pod between two steps. A record belongs to one pod uid: a new pod
// with the same name gets a new record.
//
// Guarantees  the loss of a record causes additional requests, and never the loss of a job: the
//             durable state is on the pod and in Slurm.
// Does not    survive a restart.
struct PodRecord {
  struct RefusedWrite {
    base::Instant since;
    std::string message;  // of the first refusal
  };

  struct AvoidedNode {
    base::Instant until;
    // The cluster state shows why the node can never run the pod (is_unfit). The node is avoided
    // only while the cluster state shows it.
    bool only_while_unfit = false;
  };

  kube::Uid uid;
  base::Instant first_seen;

  // --- the search for an existing job ---
  // No job is submitted before every job that was live at this instant has been examined.
  base::Instant scan_required_since = base::Instant::min();

  // The pod may have a job that a previous process submitted.
  bool is_older_than_process = false;

  // --- jobs of this process ---
  // A job that this process submitted and that the pod does not name yet.
  std::optional<OwnJob> made;
  RequestShape made_shape;
  // A job that was removed from the pod and is still to be cancelled.
  std::optional<OwnJob> returned;
  // Released jobs. The pod is never labelled with one of these jobs again.
  std::map<slurm::JobId, base::Instant> released_jobs;
  // The job that the pod named at the last observe().
  std::optional<slurm::JobId> named;
  // Jobs whose label was removed before the pod was bound, and when.
  std::map<slurm::JobId, base::Instant> unlabelled_jobs;

  // --- placement ---
  // Nodes that could not run the pod.
  std::map<slurm::SlurmNodeName, AvoidedNode> avoid;
  // Since when the pod is held because the chosen node cannot run the pod now.
  std::optional<base::Instant> held_since;
  std::optional<base::Instant> bind_accepted_at;
  // Since when the pod waits for an answer of Slurm about its job.
  std::optional<base::Instant> answer_awaited_since;

  // --- why no job is submitted now ---
  std::optional<writes::Explanation> submit_blocker;
  base::Instant blocked_until;
  // The last request, without and with the nodes that it excludes. Slurm's verdict is about the
  // latter.
  RequestShape asked;
  RequestShape asked_shape_with_nodes;
  std::optional<base::Error> refusal;
  base::Instant refused_until;
  // Jobs in a row that ended before the pod was bound.
  int failed_jobs_in_a_row = 0;
  base::Instant last_failed_job_at;

  // --- explanations ---
  std::optional<writes::Explanation> explained;
  std::optional<base::Instant> submits_fail_since;
  std::optional<base::Instant> owners_unreadable_since;
  // Since when the pod of a cancelled job waits for its deletion by the controllers role.
  std::optional<base::Instant> removal_awaited_since;
  // Set while the API server refuses writes to the pod.
  std::optional<RefusedWrite> write_refused;
  bool annotations_reported = false;

  // Updates `named`, `made` and `unlabelled_jobs` from the pod. Requires a scan if a label was
  // removed.
  void observe(const kube::Pod& pod, base::Instant now);
  // The pod must not be labelled with this job, because another instance may be about to cancel it:
  // that instance removed the label of the job a moment ago, or saw the label of another job, which
  // was removed since, and treats this job as surplus.
  bool may_be_cancelled(slurm::JobId job, base::Instant now) const;
  // Records that the job is no longer a job of the pod, although an old answer of Slurm may still
  // contain the job. Forgets older released jobs that no answer can contain any more.
  // `is_reported`: whether Slurm's last scan found the job.
  void remember_released(slurm::JobId job,
                         base::Instant now,
                         const std::function<bool(slurm::JobId)>& is_reported);
  // The nodes to avoid now. `is_unfit`: whether the cluster state shows that the node can never
  // run the pod. Forgets nodes that need not be avoided any more.
  std::set<slurm::SlurmNodeName> avoided(
      base::Instant now, const std::function<bool(const slurm::SlurmNodeName&)>& is_unfit);
  // A job ended or was released before the pod was bound. After the first such job the next job is
  // submitted at once; from the second on after a growing delay, which submit_blocker explains.
  void delay_next_job(writes::Cause cause, std::string_view because, base::Instant now);
};

}  // namespace bridge::scheduling
