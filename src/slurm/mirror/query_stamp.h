// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <cstdint>

namespace slurm::inline mirror {

// When a query was sent: its position in the order of all queries, and the time. An answer
// describes the state at that time or later, whenever it arrives; of two answers, the one whose
// query was sent later counts. The order also decides between two queries at one instant.
struct QueryStamp {
  std::uint64_t order = 0;
  base::Instant at = base::Instant::min();
};

}  // namespace slurm::inline mirror
