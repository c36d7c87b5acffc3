// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/election/election_rule.h"

#include <optional>
#include <string>
#include <vector>

namespace bridge::config {

// What a KubeSchedulerConfiguration says that means something to our scheduler role: the
// reference's chart passes one with --config. What is absent has Kubernetes' default.
struct KubeSchedulerConfig {
  std::string schedulerName = "default-scheduler";
  bool leaderElect = true;
  std::string resourceName = "kube-scheduler";
  std::string resourceNamespace = "kube-system";
  kube::ElectionTimes times{};
  std::string kubeconfig;
  std::vector<std::string> warnings;
};

// Empty if the text is no file of that kind: then it is our own, and read by parse_config().
base::Result<std::optional<KubeSchedulerConfig>> parse_kube_scheduler_config(
    const std::string& yaml);

}  // namespace bridge::config
