// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace base {

// Returns how many insertions, deletions, replacements or swaps of neighbouring letters turn one
// word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// Returns the known word that is most similar to `word`, if at most about a third of its letters
// differ (ignoring case); the first one of several equally similar words. Words over 100 bytes have
// no suggestion.
std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> known);

}  // namespace base
