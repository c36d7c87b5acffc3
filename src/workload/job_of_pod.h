// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/api/pod.h"
#include "slurm/api/job_request.h"
#include "workload/identity.h"
#include "workload/ownership.h"

#include <string>

namespace workload {

// Values of the configuration that apply to every job.
struct JobDefaults {
  std::string partition;
  std::string mcs_label;
};

// The external job for one pod: one task on one node, with the pod's CPUs, memory and GPUs as
// Kubernetes counts them, the time limit from its activeDeadlineSeconds, then the annotations of
// the pod and of its owners.
//
// Guarantees  the identity in admin_comment is set; the error is a message for the pod's author.
base::Result<slurm::JobRequest> job_of_pod(const kube::Pod& pod,
                                           const Ownership& owners,
                                           const BridgeIdentity& bridge,
                                           const JobDefaults& defaults);
// The job of a pod without owners that affect it.
base::Result<slurm::JobRequest> job_of_pod(const kube::Pod& pod,
                                           const BridgeIdentity& bridge,
                                           const JobDefaults& defaults);

}  // namespace workload
