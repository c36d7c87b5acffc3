// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "settings.h"

namespace app {

// Runs the role until SIGTERM or SIGINT and returns the exit code.
int run(const Settings& settings);

// "slurm-bridge plan-taints": prints the running pods that the taint would evict, node by node.
// Changes nothing. Returns the exit code.
int plan_taints(const Settings& settings);

// "slurm-bridge release-nodes": removes what is ours from the nodes: drains, cordons, taints, and
// with `unregister` the nodes themselves. Without `yes` it only prints the plan. Fails while
// controllers lead, or may lead. Returns the exit code.
int release_nodes(const Settings& settings, const ReleaseFlags& flags);

}  // namespace app
