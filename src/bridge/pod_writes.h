// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/scheduling.h"
#include "json/value.h"
#include "kube/api/pod.h"
#include "slurm/ids.h"

#include <string>

// The patches that the bridge writes to pods, as pure values. Each is conditional on the pod's
// identity or version, so that a late write meets a conflict instead of a namesake.
namespace bridge {

// Label, finalizer and, where it is missing, the toleration, if the pod is still as we saw it: of
// two bridges that label one pod, one gets a conflict. A merge patch.
json::Object label_patch(const kube::Pod& pod, slurm::JobId job, const std::string& scheduler_name);

// Takes label and node annotation off again. A merge patch.
json::Object unlabel_patch(const kube::Pod& pod);

// Takes our finalizer off and nobody else's. A JSON patch.
json::Array unfinalize_patch(const kube::Pod& pod);

// The condition that says why the pod waits. A strategic merge patch of the status.
json::Object condition_patch(const kube::Pod& pod, const Explanation& explanation);
bool shows(const kube::Pod& pod, const Explanation& explanation);

}  // namespace bridge
