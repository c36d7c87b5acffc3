// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "bridge/state/job_end.h"
#include "bridge/writes/causes.h"
#include "kube/api/pod.h"
#include "slurm/api/job_request.h"
#include "slurm/mirror/job_views.h"

#include <optional>
#include <string>
#include <variant>

namespace bridge::scheduling {

// Decides the next scheduling step of one pod:
//   (no job) -> Submit -> Label -> ... pending in Slurm ... -> Bind -> bound
// Every step can be repeated after a crash, because a decision depends on the observed state of
// both systems and not on the steps that were executed before.

// Whether the volumes of a pod allow a bind to the node that Slurm chose. All empty: they do.
struct VolumeReadiness {
  std::optional<std::string> never;    // why the volumes can never be used on that node
  std::optional<std::string> in_use;   // another pod uses a claim with ReadWriteOncePod
  std::optional<std::string> pending;  // the volumes are being provisioned for that node
};

// The facts about one pod, read at one moment.
struct PodFacts {
  explicit PodFacts(const kube::Pod& of) : pod(of) {}

  const kube::Pod& pod;

  // The job id in the pod's label; empty if the pod has no such label.
  std::optional<slurm::JobId> named;
  // Whether the named job is a job of this pod (marks::is_job_of). Empty while the identity of the
  // job is not known.
  std::optional<bool> named_is_ours;
  // Slurm assigned the id of the named job to another job. Only set for a bound pod.
  bool job_id_was_reused = false;
  const slurm::JobView* view = nullptr;  // of the named job
  // The view is recent enough for a bind (fresh.h).
  bool view_is_fresh = false;
  // The Kubernetes node that the named job has for this pod. Empty if the job has none, or if
  // Kubernetes has no such node.
  std::optional<kube::NodeName> node;
  std::optional<slurm::SlurmNodeName> slurm_node;  // the name of `node` in Slurm
  // Other pods of the job use all nodes of the job.
  bool no_place_left = false;
  state::LossEvidence around;

  // The name in Slurm of the node that the pod is bound to; empty for an unbound pod.
  std::optional<slurm::SlurmNodeName> own_node;

  // A job that this process submitted for the pod and that the pod does not name yet.
  std::optional<slurm::JobId> made;
  // A live job of this pod, found by a scan.
  std::optional<slurm::JobId> found;
  // The scan covers every job that may have been submitted for this pod.
  bool nothing_overlooked = false;

  // A job that was removed from the pod and is still to be cancelled.
  std::optional<slurm::JobId> returned;

  // A request of the pod that the bridge does not support. Only set for an unbound pod without a
  // job.
  std::optional<std::string> unsupported;
  // The job request, or why none can be built for the pod.
  const base::Result<slurm::JobRequest>* request = nullptr;
  // The request with its excluded nodes, as Submit sends it. Set after PrepareSubmit in this run.
  const slurm::JobRequest* prepared = nullptr;
  // Why Slurm refused the request; set until the next attempt is due.
  std::optional<base::Error> refusal;
  // Why no job is submitted at present, other than a refusal of the request shape.
  std::optional<writes::Explanation> submit_blocker;
  // The text of Slurm's reason for a pending job; empty until it has been read.
  std::string waiting_reason;
  // Why the node that Slurm chose can never run the pod, or cannot run it at this moment.
  std::optional<std::string> node_never;
  std::optional<writes::Explanation> node_not_now;
  // The pod has been held for `holdSeconds`.
  bool held_long_enough = false;
  // Why the API server refuses writes to the pod; set after `holdSeconds` of refusals.
  std::optional<std::string> write_refused_past_hold;
  // The made or found job of a pod without a label is running and uses a node.
  bool unlabelled_job_runs = false;
  // The pod has volume claims.
  bool has_claims = false;
  // Whether the volumes are ready on `node`. Set after PrepareVolumes succeeded in this run.
  std::optional<VolumeReadiness> volumes;
  // A binding was accepted by the API server; the watch has not shown it yet.
  bool bind_accepted = false;
};

struct Nothing {};
// Scan Slurm's jobs for one with this pod's identity before a job is submitted.
struct LookForJob {};
// Wait for an answer of Slurm about the named job: there is none yet, or it is too old.
struct AwaitAnswer {};
// Evaluate the nodes for this request, and read the refusals of equal requests. The result is a
// fact for the next decision: `prepared`, `submit_blocker` or `refusal`.
struct PrepareSubmit {
  slurm::JobRequest request;
};
struct Submit {
  slurm::JobRequest request;
};
// Request the volumes of the pod on that node. The result is a fact for the next decision:
// `volumes`.
struct PrepareVolumes {
  slurm::JobId job;
  kube::NodeName node;
};
// Write the job id, the finalizer and the toleration to the pod.
struct Label {
  slurm::JobId job;
};
struct Bind {
  slurm::JobId job;
  kube::NodeName node;
};
// Cancel a job that the pod does not name: a surplus job of this process, or a released job.
struct CancelOwn {
  slurm::JobId job;
};
// The named job ended before the pod was bound, is unknown to Slurm, or is not a job of this pod:
// remove the label, so that a new job is submitted.
struct StartOver {
  std::string because;
  writes::Cause cause = writes::Cause::job_ended;
};
// The API server has refused the label for `holdSeconds`, and the running job uses a node: cancel
// the job.
struct ReleaseUnlabelled {
  slurm::JobId job;
  std::string because;
};
// The pod cannot be bound to the node that Slurm chose: remove the label and cancel the job, so
// that other jobs can use the node and a new job is submitted.
struct ReleaseAndResubmit {
  slurm::JobId job;
  slurm::SlurmNodeName node;
  std::string because;
  writes::Cause cause = writes::Cause::node_never;  // node_never: the new job excludes the node
};
using Step = std::variant<Nothing,
                          LookForJob,
                          AwaitAnswer,
                          PrepareSubmit,
                          Submit,
                          Label,
                          PrepareVolumes,
                          Bind,
                          CancelOwn,
                          StartOver,
                          ReleaseUnlabelled,
                          ReleaseAndResubmit>;

struct Decision {
  Step step;
  std::optional<writes::Explanation> explanation;
};

// Returns the next step for one pod, or an explanation why the pod waits.
//
// Guarantees  equal facts give an equal decision. Everything that can prevent a step is a fact, so
//             that the step is executed as decided. Bind is returned only for a pod with our
//             finalizer and the label of a running job of this pod.
// Does not    read a clock, do I/O or keep state between two calls.
Decision next_scheduling_step(const PodFacts& facts);

}  // namespace bridge::scheduling
