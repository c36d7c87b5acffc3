// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

// For tests only: compares a text with the file tests/golden/<path>.
//
// Guarantees  returns an empty string if they are equal, otherwise the first line that differs and
//             how to accept the new text.
// With SB_UPDATE_GOLDEN=1 in the environment it writes the file instead; review the change with
// `git diff tests/golden`.
std::string golden_difference(std::string_view path, std::string_view text);
