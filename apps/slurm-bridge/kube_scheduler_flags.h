// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/flags.h"

namespace app {

struct ParsedFlags;

// What kube-scheduler 1.36 takes and the scheduler role would not know otherwise, so that a command
// line written for it still starts: used where it means something, else accepted with a word.
void add_kube_scheduler_flags(base::Flags& flags, ParsedFlags& given);

}  // namespace app
