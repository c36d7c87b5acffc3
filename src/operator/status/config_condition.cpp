// SPDX-License-Identifier: Apache-2.0
#include "operator/status/config_condition.h"

namespace slurmop::status {

kube::Condition config_condition(const std::string& desired,
                                 const std::optional<ConfigReport>& report) {
  kube::Condition condition{"ConfigurationActive", "Unknown", "AgentUnknown", ""};
  if (!report) {
    condition.message = "the configuration agent in the controller pod does not answer";
    return condition;
  }
  if (report->active == desired) {
    condition.status = "True";
    condition.reason = "Active";
    condition.message = "slurmctld uses the configuration of this resource";
    return condition;
  }
  condition.status = "False";
  if (report->seen == desired && !report->error.empty()) {
    condition.reason = "Rejected";
    condition.message = (report->active.empty() ? "Slurm rejected the configuration: "
                                                : "Slurm rejected the new configuration; the "
                                                  "previous one stays active: ") +
                        report->error;
    return condition;
  }
  condition.reason = "Pending";
  condition.message = "the new configuration has not reached the controller pod yet";
  return condition;
}

}  // namespace slurmop::status
