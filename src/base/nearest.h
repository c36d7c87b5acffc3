// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace base {

// How many letters have to be inserted, left out, replaced or swapped with their neighbour to turn
// one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The known word that somebody who wrote `word` probably meant, if any is near enough (about a
// third of its letters differ at most; case does not count). The first of several equally near
// ones. Words over 100 bytes are nobody's typing mistake and resemble nothing.
std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> known);

}  // namespace base
