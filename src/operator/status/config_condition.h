// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/conditions.h"

#include <optional>
#include <string>

namespace slurmop::status {

// What the configuration agent in the controller pod reports (GET /status, agent/report.h).
struct ConfigReport {
  std::string seen;    // hash of the newest files that the agent has read; empty: none
  std::string active;  // hash of the files that slurmctld uses; empty: none
  std::string error;   // why `seen` did not become active: "slurm.conf line 12: ..."; empty: none
};

// Returns the condition ConfigurationActive: whether slurmctld uses the files with the hash
// `desired`. An absent report is Unknown.
kube::Condition config_condition(const std::string& desired,
                                 const std::optional<ConfigReport>& report);

}  // namespace slurmop::status
