// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"
#include "workload/identity.h"

#include <string_view>

namespace bridge::marks {

// Whether a job was made for this very pod.
//
// A label alone proves nothing: anybody who may create a pod can write any number into it. A job is
// the pod's only if the job says so too, by the pod's uid; a job of the reference implementation,
// which knows no uids, by the pod's name and the label that the reference put on the pod.
bool is_job_of(std::string_view admin_comment,
               const kube::Pod& pod,
               const workload::BridgeIdentity& bridge);

// Whether a job may concern us at all: ours by its identity, or made by the reference.
bool may_be_ours(std::string_view admin_comment, const workload::BridgeIdentity& bridge);

}  // namespace bridge::marks
