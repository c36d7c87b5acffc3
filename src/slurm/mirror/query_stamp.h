// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <cstdint>

namespace slurm::inline mirror {

// When a question was asked: its place in the order of all questions, and the time. An answer is
// about the world as it was then or later, whenever it arrives; of two answers the one that was
// asked for later counts. The order decides also where two moments have one instant.
struct QueryStamp {
  std::uint64_t order = 0;
  base::Instant at = base::Instant::min();
};

}  // namespace slurm::inline mirror
