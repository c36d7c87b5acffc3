// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>

namespace json {

// Parses a token of a pointer as an array index: digits without a leading zero, nothing else.
inline std::optional<std::size_t> array_index(std::string_view token) {
  if (token.empty() || (token.size() > 1 && token.front() == '0')) return std::nullopt;
  std::size_t index = 0;
  const char* end = token.data() + token.size();
  const auto [stopped, problem] = std::from_chars(token.data(), end, index);
  if (stopped != end || problem != std::errc()) return std::nullopt;
  return index;
}

}  // namespace json
