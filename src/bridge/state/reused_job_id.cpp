// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/reused_job_id.h"

#include "bridge/marks/job_claim.h"
#include "workload/identity.h"

namespace bridge::state {

bool job_id_was_reused(const ClusterState& cluster,
                       slurm::JobId job,
                       const kube::Pod& pod,
                       const std::optional<std::string>& job_name) {
  const std::string* comment = cluster.mirror().comment_of(job);
  if (comment == nullptr || bridge::marks::is_job_of(*comment, pod, cluster.bridge())) return false;
  // An identity is proof. Without one, a user may have overwritten the comment of the pod's own
  // job, so the job name has to differ as well.
  if (workload::read_identity(*comment)) return true;
  const slurm::JobIdentityRecord* record = cluster.mirror().identity_record_of(job);
  return job_name && record != nullptr && record->name != *job_name;
}

}  // namespace bridge::state
