// SPDX-License-Identifier: Apache-2.0
#include "bridge/orphan.h"

#include "bridge/named_job.h"
#include "workload/wellknown.h"

namespace bridge {

bool is_orphan(slurm::JobId job, const workload::Member& member, const kube::Pod* pod) {
  if (pod == nullptr || pod->metadata.uid != member.uid) return true;
  // It was given back once; a crash of slurmctld may have forgotten that.
  if (pod->ended() && !pod->metadata.has_finalizer(workload::kFinalizer)) return true;
  const auto named = named_job(*pod);
  return named.has_value() && *named != job;
}

}  // namespace bridge
