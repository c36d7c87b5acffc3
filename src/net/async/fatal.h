// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace net::inline async {

// For bugs: prints the message to stderr and aborts. The supervisor restarts the process from a
// known state.
[[noreturn]] void fatal(std::string_view what);

}  // namespace net::inline async
