// SPDX-License-Identifier: Apache-2.0
#include "net/async/fatal.h"

#include <cstdio>
#include <cstdlib>

namespace net::inline async {

void fatal(std::string_view what) {
  std::fprintf(stderr, "fatal: %.*s\n", static_cast<int>(what.size()), what.data());
  std::fflush(stderr);
  std::abort();
}

}  // namespace net::inline async
