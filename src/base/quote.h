// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace base {

// Appends text the way it stands inside a JSON string (without the quotes).
//
// Guarantees  valid UTF-8 (what is none becomes U+FFFD) on one line, whatever text contains:
//             nothing is left that ends a line anywhere, drives a terminal or reverses the reading
//             order.
void append_escaped(std::string& out, std::string_view text);

// The first bytes of text, never cut inside a character.
std::string_view cut(std::string_view text, std::size_t most);

// Text in double quotes, escaped and cut, for messages that name an input somebody else wrote.
std::string quoted(std::string_view text, std::size_t most = 64);

}  // namespace base
