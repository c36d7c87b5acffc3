// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace sim {

// Histories that a person wrote down: steps in the words of users and administrators, and under
// each step, indented, what anybody can see of both systems once everything has come to rest after
// it. tests/e2e plays the same files on a real Kubernetes and a real Slurm, so that a model that
// does not behave as the real one is found out. The steps are in tests/sim/histories/README.md.
//
// Guarantees  the given text with what was observed here in the place of what it says; comments
//             and empty lines stay. The same text gives the same answer.
// Errors      invalid: there is no such step; internal: an invariant was broken on the way.
base::Result<std::string> play(std::string_view text);

}  // namespace sim
