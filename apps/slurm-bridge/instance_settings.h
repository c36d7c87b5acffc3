// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/process/instance.h"
#include "settings.h"

#include <string>

namespace app {

// What an instance is told of what the process was told. `own_ns` is the namespace that the process
// runs in, empty outside a cluster.
bridge::process::InstanceOptions instance_options(const Settings& settings,
                                                  const std::string& own_ns);

}  // namespace app
