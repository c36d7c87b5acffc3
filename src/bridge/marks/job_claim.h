// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"
#include "workload/identity.h"

#include <string_view>

namespace bridge::marks {

// Whether a job was submitted for this pod, by the job's admin_comment.
//
// The pod's label alone proves nothing: any user who may create pods can set it to any number. Our
// identity must contain the pod's uid. The admin_comment of a job of the reference has no uids: it
// must contain the pod's name, and the pod must not name a job with our identity.
bool is_job_of(std::string_view admin_comment,
               const kube::Pod& pod,
               const workload::BridgeIdentity& bridge);

// Whether the job has our identity or was submitted by the reference.
bool may_be_ours(std::string_view admin_comment, const workload::BridgeIdentity& bridge);

}  // namespace bridge::marks
