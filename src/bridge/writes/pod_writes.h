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
// and all but unfinalize_patch() on its resourceVersion: a late write fails with a conflict and
// changes neither a new pod of the same name nor a newer version.
namespace bridge::writes {

// Adds the job label, the finalizer and, if missing, the toleration: of two bridges that label one
// pod, one gets a conflict. A job that the pod does not name yet has our identity, which an
// annotation records. A merge patch.
json::Object label_patch(const kube::Pod& pod, slurm::JobId job, const std::string& scheduler_name);

// Removes the job label and the annotations for node and identified job. A merge patch.
json::Object unlabel_patch(const kube::Pod& pod);

// Removes the bridge's finalizers (workload/finalizers.h) and no others. A JSON patch.
json::Array unfinalize_patch(const kube::Pod& pod);

// Sets the condition PodScheduled to the explanation. A strategic merge patch of the status.
json::Object condition_patch(const kube::Pod& pod, const Explanation& explanation);
bool shows(const kube::Pod& pod, const Explanation& explanation);
// The pod shows any explanation of the bridge.
bool is_explained(const kube::Pod& pod);

// Sets the condition DisruptionTarget, by which a Job's podFailurePolicy distinguishes an end that
// Slurm caused from a failure. Empty if the end is no disruption or the pod has the condition
// already. A strategic merge patch of the status.
std::optional<json::Object> disruption_patch(const kube::Pod& pod,
                                             const state::JobEnded& because,
                                             base::WallTime now);

// The status of a running pod's job, as its condition workload::kJobKnownCondition shows it.
enum class JobShown {
  known,
  unknown,  // the job is unknown to Slurm
  lost,     // the job was lost in a widespread state loss
};

// Sets the condition workload::kJobKnownCondition. Empty if the pod shows it already. `known` is
// written only after `unknown` or `lost`; `unknown` does not replace `lost`. A strategic merge
// patch of the status.
std::optional<json::Object> job_known_patch(const kube::Pod& pod, JobShown job, base::WallTime now);

}  // namespace bridge::writes
