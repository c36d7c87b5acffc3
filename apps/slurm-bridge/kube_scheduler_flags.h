// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/flags.h"

namespace app {

struct ParsedFlags;

// The flags of kube-scheduler 1.36 that the scheduler role does not have itself, so that a command
// line for kube-scheduler still starts: used where they apply, otherwise accepted with a warning.
void add_kube_scheduler_flags(base::Flags& flags, ParsedFlags& values);

}  // namespace app
