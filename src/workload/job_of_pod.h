// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/api/pod.h"
#include "slurm/api/job_request.h"
#include "workload/identity.h"
#include "workload/ownership.h"

#include <string>

namespace workload {

// What the platform's configuration adds to every job.
struct JobDefaults {
  std::string partition;
  std::string mcs_label;
};

// The external job that stands for one pod: one task on one node, with the pod's CPUs, memory and
// GPUs as Kubernetes counts them, the time limit that its activeDeadlineSeconds is, then the
// annotations of the pod and of its owners.
//
// Guarantees  the identity in admin_comment is set; the error is for the pod's author.
base::Result<slurm::JobRequest> job_of_pod(const kube::Pod& pod,
                                           const Ownership& owners,
                                           const BridgeIdentity& bridge,
                                           const JobDefaults& defaults);
// Of a pod that no owner has a word in.
base::Result<slurm::JobRequest> job_of_pod(const kube::Pod& pod,
                                           const BridgeIdentity& bridge,
                                           const JobDefaults& defaults);

}  // namespace workload
