// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "bridge/config/config.h"
#include "workload/job_of_pod.h"

#include <chrono>

namespace bridge::config {

// What of the configuration may change while an instance runs. Roles look at it each time they
// decide something, and keep no copies.
struct LiveSettings {
  workload::JobDefaults defaults;
  NodeSettings nodes;
  // How long a pod is held for a node that cannot take it before its job is made anew without it.
  base::Duration hold = std::chrono::seconds(Config().holdSeconds);
};

inline LiveSettings live_settings(const Config& config) {
  return {
      {config.partition, config.mcsLabel}, config.nodes, std::chrono::seconds(config.holdSeconds)};
}

}  // namespace bridge::config
