// SPDX-License-Identifier: Apache-2.0
#include "operator/settle/effect.h"

namespace slurmop::settle {

void add_values_without_effect(const api::SlurmClusterSpec& spec, api::Findings& findings) {
  if (spec.slurmNodes.accounting.slurmConfig.jobAcctGatherType == "jobacct_gather/cgroup") {
    findings.accepted.emplace_back("spec.slurmNodes.accounting.slurmConfig.jobAcctGatherType");
  }
}

}  // namespace slurmop::settle
