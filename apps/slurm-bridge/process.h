// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "settings.h"

namespace app {

// Runs the role until SIGTERM or SIGINT and returns the exit code.
int run(const Settings& settings);

// "slurm-bridge plan-taints": prints which running pods the taint would evict, node by node, and
// changes nothing. Returns the exit code.
int plan_taints(const Settings& settings);

// "slurm-bridge release-nodes": takes back what is ours on the nodes: drains, cordons, taints, and
// with `unregister` the nodes themselves. Without `yes` it only says what it would do. Refuses
// while controllers lead, or may do so. Returns the exit code.
int release_nodes(const Settings& settings, const ReleaseFlags& flags);

}  // namespace app
