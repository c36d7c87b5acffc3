// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/admission/identity.h"
#include "bridge/admission/review.h"
#include "bridge/admission/submitted_pod.h"

#include <optional>
#include <string>

// What Slurm cannot do for a pod is refused before the pod exists, with the field and the fix.
namespace bridge::admission {

// Why a pod in our scope cannot be created: the first that applies of
//   1. the label of the Slurm job is set            5. CPUs asked for natively and as devices
//   2. the annotation of the node is set            6. a device class that Slurm cannot give
//   3. resource claims                              7. an annotation and a device for one thing
//   4. topology spread constraints                  8. a value of an annotation that makes no sense
//   9. whatever else keeps the scheduler from making a job of it, unless it has a controller
//   10. what the bridge does not support yet (workload/unsupported_requests.h)
// The last three only for pods that are ours: another scheduler may do what we cannot.
std::optional<Denial> refusal_of_creation(const SubmittedPod& pod,
                                          const std::string& scheduler_name);

// One change of a pod in our scope.
struct Change {
  const SubmittedPod& before;
  const SubmittedPod& after;
  std::string_view subresource;
  std::string_view user;
};

// Why it cannot be made:
//   - a resize of a pod that is ours: the job has the size with which it was made;
//   - job label or node annotation, in whatever phase, by anybody but `bridge_users`;
//   - what 6. and 7. say, and 8. and 9. until the pod is bound, if it was not so before: nobody has
//     to mend a pod to take a finalizer off.
// Finalizers are everybody's, ours too: who is stuck must be able to help himself.
// Without `bridge_users` it is not known yet who we are, and only that is refused which depends on
// it.
std::optional<Denial> refusal_of_change(const Change& change,
                                        const std::string& scheduler_name,
                                        const std::optional<Users>& bridge_users);

}  // namespace bridge::admission
