// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <cstdint>
#include <random>

namespace sim {

// The random numbers of a history, made from its seed. The distributions of the standard library
// are not used: their results differ between implementations, and a seed must give the same history
// everywhere.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  // From 0 to n - 1.
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
