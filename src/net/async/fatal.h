// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace net::inline async {

// A bug: says so on stderr and aborts. Whoever supervises us starts anew from a known state.
[[noreturn]] void fatal(std::string_view what);

}  // namespace net::inline async
