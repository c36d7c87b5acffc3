// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace base {

// Appends text escaped as inside a JSON string, without the quotes.
//
// Guarantees  one line of valid UTF-8 for any input (invalid bytes become U+FFFD), without
//             characters that end a line, control a terminal or reverse the reading direction.
void append_escaped(std::string& out, std::string_view text);

// Returns the first bytes of text, never cut inside a character.
std::string_view cut(std::string_view text, std::size_t most);

// Returns the text in double quotes, escaped and cut, for messages that contain untrusted input.
std::string quoted(std::string_view text, std::size_t most = 64);

}  // namespace base
