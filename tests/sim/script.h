// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace sim {

// Plays a written history: steps of users and administrators, and under each step, indented, the
// state of both systems after the step has settled. tests/e2e plays the same files on real servers,
// so that differences between the models and the real servers are found. The steps are listed in
// tests/sim/histories/README.md.
//
// Guarantees  returns the given text with the observed states in place of the written ones;
//             comments and empty lines stay. Equal texts give equal results.
// Errors      invalid: there is no such step, or it is not possible; internal: an invariant was
//             violated.
base::Result<std::string> play(std::string_view text);

}  // namespace sim
