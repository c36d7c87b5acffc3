// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

// For fuzz targets only.
namespace fuzz {

// Ends the run with a finding unless `holds` is true.
inline void check(bool holds,
                  std::string_view what,
                  std::source_location where = std::source_location::current()) {
  if (holds) return;
  std::fprintf(stderr,
               "%s:%u: does not hold: %.*s\n",
               where.file_name(),
               where.line(),
               static_cast<int>(what.size()),
               what.data());
  std::abort();
}

// The requirements on every message, because messages go to logs, events and conditions.
inline void check_message(const base::Error& error,
                          std::source_location where = std::source_location::current()) {
  check(!error.message().empty(), "an error has a message", where);
  check(base::is_utf8(error.message()), "a message is valid UTF-8", where);
  check(error.message().find('\n') == std::string::npos, "a message is one line", where);
}

// The bytes of one run: selections from the front, the rest is the text.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size)
      : rest_(reinterpret_cast<const char*>(data), size) {}

  // 0 if nothing is left.
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto first = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }
  // One of the choices; seeds select with a readable letter: 'A' is the first.
  template <class Choices>
  const auto& one_of(const Choices& choices) {
    return choices[static_cast<std::size_t>(byte() + 256U - 'A') % 256U % std::size(choices)];
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

// The text split at every such character; an empty text is one empty part.
inline std::vector<std::string_view> parts(std::string_view text, char at) {
  std::vector<std::string_view> all;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find(at);
    all.push_back(text.substr(0, end));
    if (end != std::string_view::npos) text.remove_prefix(end + 1);
  }
  return all;
}

// The same bytes in pieces of up to `longest` bytes; equal seeds give equal pieces.
inline std::vector<std::string_view> pieces(std::string_view bytes,
                                            std::uint32_t seed,
                                            std::size_t longest) {
  std::vector<std::string_view> all;
  std::uint32_t state = seed * 2654435761U + 1U;
  while (!bytes.empty()) {
    state = state * 1664525U + 1013904223U;
    const std::size_t length = std::min<std::size_t>(1U + (state >> 16U) % longest, bytes.size());
    all.push_back(bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
  return all;
}

}  // namespace fuzz
