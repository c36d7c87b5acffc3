// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"
#include "slurm/api/ids.h"
#include "workload/identity.h"

namespace bridge::pods {

// Whether the pod of this member does not need the job: the pod does not exist, has another uid,
// has ended and was released, or names another job. For a pod without the job label the result is
// false: the scheduler may still adopt the job.
//
// Expects     a live job with our identity; `pod` is nullptr if the API server has no such pod.
bool is_orphan(slurm::JobId job, const workload::Member& member, const kube::Pod* pod);

}  // namespace bridge::pods
