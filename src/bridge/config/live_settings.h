// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "bridge/config/config.h"
#include "workload/job_of_pod.h"

#include <chrono>

namespace bridge::config {

// The settings that may change while an instance runs. Roles read them for each decision and keep
// no copies.
struct LiveSettings {
  workload::JobDefaults defaults;
  NodeSettings nodes;
  // How long a pod is on hold for a node that cannot run it, before its job is submitted again
  // without that node.
  base::Duration hold = std::chrono::seconds(Config().holdSeconds);
};

inline LiveSettings live_settings(const Config& config) {
  return {
      {config.partition, config.mcsLabel}, config.nodes, std::chrono::seconds(config.holdSeconds)};
}

}  // namespace bridge::config
