// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include "base/ascii.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace base {
namespace {

constexpr std::size_t kMaxWord = 100;

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the usual table: distances from a's first i, i-1 and i-2 letters to b's first j.
  std::vector<std::size_t> older(b.size() + 1);
  std::vector<std::size_t> old(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(older, old);
    std::swap(old, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = old[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({old[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], older[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> known) {
  if (word.empty() || word.size() > kMaxWord) return std::nullopt;
  const std::string wanted = ascii_lower(word);
  std::optional<std::string_view> best;
  std::size_t best_distance = std::max<std::size_t>(1, (word.size() + 1) / 3) + 1;
  for (const std::string_view candidate : known) {
    if (candidate.empty() || candidate.size() > kMaxWord) continue;
    const std::size_t distance = edit_distance(wanted, ascii_lower(candidate));
    // A word without a common letter is never suggested.
    if (distance >= best_distance || distance >= candidate.size()) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

}  // namespace base
