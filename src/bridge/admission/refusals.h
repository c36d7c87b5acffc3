// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/admission/identity.h"
#include "bridge/admission/review.h"
#include "bridge/admission/submitted_pod.h"

#include <optional>
#include <string>

// Pods that Slurm cannot run are denied before they exist, with the field and the fix.
namespace bridge::admission {

// Why a pod in our scope cannot be created: the first of these that applies
//  1. the label of the Slurm job is set            5. CPUs requested natively and as devices
//  2. the annotation of the node is set            6. a device class that Slurm cannot allocate
//  3. resource claims                              7. an annotation and a device for one resource
//  4. topology spread constraints                  8. a malformed value of an annotation
//  9. anything else that prevents a job, unless the pod has a controller
//  10. requests that the bridge does not support yet (workload/unsupported_requests.h)
// The last three apply only to pods of ours: another scheduler may support what the bridge does
// not.
std::optional<Denial> refusal_of_creation(const SubmittedPod& pod,
                                          const std::string& scheduler_name);

// One change of a pod in our scope.
struct Change {
  const SubmittedPod& before;
  const SubmittedPod& after;
  std::string_view subresource;
  std::string_view user;
};

// Why the change is denied:
//  - a resize of a pod of ours: the job has the size with which it was created;
//  - the job label or node annotation, in any phase, by a user other than `bridge_users`;
//  - rules 6 and 7, and rules 8 and 9 until the pod is bound, if the problem is new: a pod need not
//    be repaired to remove a finalizer.
// Every user may remove finalizers, including ours: a user with a stuck pod must be able to act.
// Without `bridge_users` our own name is not known yet, and only changes that depend on it are
// denied.
std::optional<Denial> refusal_of_change(const Change& change,
                                        const std::string& scheduler_name,
                                        const std::optional<Users>& bridge_users);

}  // namespace bridge::admission
