// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <cstdint>
#include <random>

namespace sim {

// The source of everything that a seed decides. Not std's distributions: their results differ
// between libraries, and a seed in a report must mean the same everywhere.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  // 0 .. n-1
  std::uint64_t below(std::uint64_t n) { return bits() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  base::Duration between(base::Duration least, base::Duration most) {
    const auto span = static_cast<std::uint64_t>((most - least).count()) + 1;
    return least + base::Duration(static_cast<base::Duration::rep>(below(span)));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace sim
