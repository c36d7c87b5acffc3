// SPDX-License-Identifier: Apache-2.0
#include "bridge/pods/orphan.h"

#include "bridge/marks/named_job.h"
#include "workload/finalizers.h"

namespace bridge::pods {

bool is_orphan(slurm::JobId job, const workload::Member& member, const kube::Pod* pod) {
  if (pod == nullptr || pod->metadata.uid != member.uid) return true;
  // The job was released before; a crash of slurmctld may have undone the cancel.
  if (pod->ended() && !workload::has_bridge_finalizer(pod->metadata)) return true;
  const auto named = marks::named_job(*pod);
  return named.has_value() && *named != job;
}

}  // namespace bridge::pods
