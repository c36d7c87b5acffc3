// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "kube/api/workloads.h"

#include <chrono>
#include <optional>
#include <string>

namespace slurmop::status {

// Returns why a pod does not run, with the command that shows more; empty if nothing is wrong.
//
//   pod controller-0: container slurmctld: CrashLoopBackOff (exit code 1); see kubectl logs ...
std::optional<std::string> problem_of(const kube::ObservedPod& pod);

// How long a container waits in CrashLoopBackOff before its pod is replaced.
inline constexpr auto kCrashLoopPatience = std::chrono::seconds(30);

// Whether a container of the pod has been in CrashLoopBackOff for kCrashLoopPatience. The kubelet
// waits up to five minutes between two starts, also after the cause has been removed; a new pod
// starts at once.
bool is_stuck_in_crash_loop(const kube::ObservedPod& pod, base::WallTime now);

}  // namespace slurmop::status
