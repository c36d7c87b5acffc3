// SPDX-License-Identifier: Apache-2.0
#include "base/integer.h"

#include "base/quote.h"

#include <fmt/format.h>

namespace base {

Error not_an_integer(std::string_view text) {
  return Error(
      Kind::invalid,
      fmt::format("{} is not a whole number; write digits only, like \"120\"", quoted(text)));
}

Error integer_out_of_range(std::string_view text, std::string_view least, std::string_view most) {
  return Error(
      Kind::invalid,
      fmt::format("{} is out of range; write a number from {} to {}", quoted(text), least, most));
}

}  // namespace base
