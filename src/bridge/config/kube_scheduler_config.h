// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/election/election_rule.h"

#include <optional>
#include <string>
#include <vector>

namespace bridge::config {

// The values of a KubeSchedulerConfiguration that our scheduler role uses: the reference's chart
// passes one with --config. Absent values have Kubernetes' defaults.
struct KubeSchedulerConfig {
  std::string schedulerName = "default-scheduler";
  bool leaderElect = true;
  std::string resourceName = "kube-scheduler";
  std::string resourceNamespace = "kube-system";
  kube::ElectionTimes times{};
  std::string kubeconfig;
  std::vector<std::string> warnings;
};

// Empty if the text is not of that kind: then it is our own file, for parse_config().
base::Result<std::optional<KubeSchedulerConfig>> parse_kube_scheduler_config(
    const std::string& yaml);

}  // namespace bridge::config
