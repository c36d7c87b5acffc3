// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/process/instance.h"
#include "settings.h"

#include <string>

namespace app {

// The options of an instance, from the settings of the process. `own_ns` is the namespace in which
// the process runs, empty outside a cluster.
bridge::process::InstanceOptions instance_options(const Settings& settings,
                                                  const std::string& own_ns);

}  // namespace app
