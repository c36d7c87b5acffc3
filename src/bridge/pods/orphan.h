// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"
#include "slurm/api/ids.h"
#include "workload/identity.h"

namespace bridge::pods {

// Whether a live job of ours has nobody left who wants it.
//
// `pod` is the pod of the job's member as just read from the API server, or nullptr if the server
// said that there is none. A job is an orphan when that pod does not exist (or is a namesake with
// another uid), has ended and was let go, or names another job. A pod without a label may still be
// about to take the job: not an orphan.
bool is_orphan(slurm::JobId job, const workload::Member& member, const kube::Pod* pod);

}  // namespace bridge::pods
