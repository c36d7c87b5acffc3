// SPDX-License-Identifier: Apache-2.0
#include "bridge/orphan.h"

#include "bridge/named_job.h"

namespace bridge {

bool is_orphan(slurm::JobId job, const workload::Member& member, const kube::Pod* pod) {
  if (pod == nullptr || pod->metadata.uid != member.uid) return true;
  const auto named = named_job(*pod);
  return named.has_value() && *named != job;
}

}  // namespace bridge
