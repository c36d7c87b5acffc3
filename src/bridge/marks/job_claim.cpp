// SPDX-License-Identifier: Apache-2.0
#include "bridge/marks/job_claim.h"

#include "bridge/marks/named_job.h"

#include <algorithm>

namespace bridge::marks {

bool is_job_of(std::string_view admin_comment,
               const kube::Pod& pod,
               const workload::BridgeIdentity& bridge) {
  if (const auto identity = workload::read_identity(admin_comment)) {
    return identity->bridge == bridge &&
           std::ranges::find(identity->members, pod.metadata.uid, &workload::Member::uid) !=
               identity->members.end();
  }
  if (names_identified_job(pod)) return false;
  const auto pods = workload::read_reference_pods(admin_comment);
  return std::ranges::find(pods, pod.metadata.key()) != pods.end();
}

bool may_be_ours(std::string_view admin_comment, const workload::BridgeIdentity& bridge) {
  if (const auto identity = workload::read_identity(admin_comment))
    return identity->bridge == bridge;
  return !workload::read_reference_pods(admin_comment).empty();
}

}  // namespace bridge::marks
