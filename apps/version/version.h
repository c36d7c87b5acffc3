// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace app {

// The git tag of the build and the commits after it, such as 1.2.3-4-g0123abc;
// cmake/WriteVersion.cmake has the rules.
extern const char* const kVersion;

}  // namespace app
