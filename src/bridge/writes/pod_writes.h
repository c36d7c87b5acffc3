// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "bridge/state/job_end.h"
#include "bridge/writes/causes.h"
#include "json/value.h"
#include "kube/api/pod.h"
#include "slurm/api/ids.h"

#include <optional>
#include <string>

// The patches that the bridge writes to pods, as pure values. Each is conditional on the pod's uid,
// and all but unfinalize_patch() on its version: a late write meets a conflict, not a namesake and
// not what was written since.
namespace bridge::writes {

// Label, finalizer and, where it is missing, the toleration, if the pod is still as we saw it: of
// two bridges that label one pod, one gets a conflict. A job that the pod does not name yet has our
// identity, which is noted in an annotation. A merge patch.
json::Object label_patch(const kube::Pod& pod, slurm::JobId job, const std::string& scheduler_name);

// Takes label and node annotation off again. A merge patch.
json::Object unlabel_patch(const kube::Pod& pod);

// Takes the bridge's finalizers off (workload/finalizers.h) and nobody else's. A JSON patch.
json::Array unfinalize_patch(const kube::Pod& pod);

// The condition that says why the pod waits. A strategic merge patch of the status.
json::Object condition_patch(const kube::Pod& pod, const Explanation& explanation);
bool shows(const kube::Pod& pod, const Explanation& explanation);
// It shows some explanation of ours.
bool is_explained(const kube::Pod& pod);

// The condition DisruptionTarget, by which a Job's podFailurePolicy tells an end that Slurm caused
// from a failure. Empty if there is nothing to say or the pod says it already. Strategic.
std::optional<json::Object> disruption_patch(const kube::Pod& pod,
                                             const state::JobEnded& because,
                                             base::WallTime now);

// What a pod that runs says of its job.
enum class JobShown {
  known,
  unknown,  // Slurm does not know it
  lost,     // nor most others of ours that are as old
};

// Whether Slurm knows the job under which the pod runs. Empty if the pod says so already; that it
// does is only said after the opposite, and one that was lost stays so until then. Strategic.
std::optional<json::Object> job_known_patch(const kube::Pod& pod, JobShown job, base::WallTime now);

}  // namespace bridge::writes
