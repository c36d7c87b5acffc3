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

// From a pod that waits to a pod that is bound: what happens next to one pod.
//
// A pod that is its own workload goes
//   (no job) -> Submit -> Label -> ... waits in Slurm ... -> Bind -> bound
// and every arrow can be taken again after a crash, because each looks at what is there, not at
// what was done.

// Whether the volumes of a pod allow a bind to the node that Slurm chose. All empty: they do.
struct VolumeReadiness {
  std::optional<std::string> never;    // why they can never be used on that node
  std::optional<std::string> in_use;   // another pod has a claim that one pod at a time may use
  std::optional<std::string> pending;  // they are being provisioned for that node
};

// The facts of one moment.
struct PodFacts {
  explicit PodFacts(const kube::Pod& of) : pod(of) {}

  const kube::Pod& pod;

  // The job of the pod's label, if it has one.
  std::optional<slurm::JobId> named;
  // Whether that job says that it is this pod's; empty while nobody has looked.
  std::optional<bool> named_is_ours;
  // The job of that id is somebody else's: the id was given a second time. Of a bound pod.
  bool job_id_was_reused = false;
  const slurm::JobView* view = nullptr;  // of the named job
  // The view is recent enough for a bind (fresh.h). The process may have been stopped since.
  bool view_is_fresh = false;
  // The Kubernetes node that Slurm gave to it; empty if it has none or Kubernetes has no such node.
  std::optional<kube::NodeName> node;
  std::optional<slurm::SlurmNodeName> slurm_node;  // the same node, as Slurm calls it
  // Other pods of the job have all of its nodes.
  bool no_place_left = false;
  state::LossEvidence around;

  // What Slurm calls the node that the pod is bound to; empty while it is not.
  std::optional<slurm::SlurmNodeName> own_node;

  // A job that this process made for the pod and that the pod does not show yet.
  std::optional<slurm::JobId> made;
  // A live job that says it is this pod's, found by looking through Slurm's jobs.
  std::optional<slurm::JobId> found;
  // No job that could be this pod's is left unlooked-at: nobody can have submitted it already.
  bool nothing_overlooked = false;

  // A job of the pod's that we have taken off it and that is still to be cancelled.
  std::optional<slurm::JobId> returned;

  // What the pod asks for that the bridge does not support. Of a pod without a job.
  std::optional<std::string> unsupported;
  // The request, or why the pod cannot be turned into one.
  const base::Result<slurm::JobRequest>* request = nullptr;
  // The request as it would be sent, with the nodes that it excludes. Set after PrepareSubmit succeeded in this run.
  const slurm::JobRequest* prepared = nullptr;
  // Why Slurm did not take that request, while it is too early to ask again.
  std::optional<base::Error> refusal;
  // Why there is no sense in submitting it now, although Slurm has not been asked.
  std::optional<writes::Explanation> submit_blocker;
  // Slurm's reason why the job waits, in words.
  std::string slurm_says;
  // Why the node that Slurm chose can never take the pod, or cannot at this moment.
  std::optional<std::string> node_never;
  std::optional<writes::Explanation> node_not_now;
  // It has been held for such a reason for as long as a pod is held.
  bool held_long_enough = false;
  // Why the API server refuses what we write to the pod, once that has lasted as long.
  std::optional<std::string> write_refused_past_hold;
  // The made or found job of a pod without a label is running: it uses a node.
  bool unlabelled_job_runs = false;
  // The pod has volume claims that matter for its placement.
  bool has_claims = false;
  // Whether its volumes are ready on `node`. Set after PrepareVolumes succeeded in this run.
  std::optional<VolumeReadiness> volumes;
  // A binding was accepted by the API server; the watch has not shown it yet.
  bool bind_accepted = false;
};

struct Nothing {};
// Look through Slurm's jobs for one that is this pod's, before making another.
struct LookForJob {};
// The pod can only go on with an answer of Slurm about the job that it names: there is none yet, or
// it is too old.
struct AwaitAnswer {};
// Evaluate the nodes for this request, and consult the refusals of equal requests. The result is a fact for the next
// decision: `prepared`, `submit_blocker` or `refusal`.
struct PrepareSubmit {
  slurm::JobRequest request;
};
struct Submit {
  slurm::JobRequest request;
};
// Request the volumes of the pod on that node. The result is a fact for the next decision: `volumes`.
struct PrepareVolumes {
  slurm::JobId job;
  kube::NodeName node;
};
// Write the job's id, the finalizer and the toleration onto the pod.
struct Label {
  slurm::JobId job;
};
struct Bind {
  slurm::JobId job;
  kube::NodeName node;
};
// The pod names another job than the one that we made: ours was one too many.
struct CancelOwn {
  slurm::JobId job;
};
// The pod names a job that ended before the pod was bound, or one that was never the pod's: take
// the id off the pod, so that a new job is made.
struct StartOver {
  std::string because;
  writes::Cause cause = writes::Cause::job_ended;
};
// The API server refuses the label for long, and the running job uses a node meanwhile: cancel the job.
struct ReleaseUnlabelled {
  slurm::JobId job;
  std::string because;
};
// The pod does not get onto the node that Slurm chose: take the job off the pod and cancel it, so
// that others can use the node and a new job is made.
struct ReleaseAndResubmit {
  slurm::JobId job;
  slurm::SlurmNodeName node;
  std::string because;
  writes::Cause cause = writes::Cause::node_never;  // then the new job leaves the node out
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

// Guarantees  same facts, same decision; a decided step is carried out as it is: what could prevent it is a fact. A bind is only ever asked for a pod that carries the label
//             and the finalizer of a running job that says it is this pod's.
Decision next_scheduling_step(const PodFacts& facts);

}  // namespace bridge::scheduling
