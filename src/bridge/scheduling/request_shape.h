// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slurm/api/job_request.h"

#include <compare>
#include <cstddef>

namespace bridge::scheduling {

// Jobs that ask for the same are of one kind: what Slurm says of one it says, mostly, of all.
struct RequestShape {
  std::size_t value = 0;  // zero: not known

  bool known() const { return value != 0; }
  friend auto operator<=>(const RequestShape&, const RequestShape&) = default;
};

// What it asks for and not whose it is: name and identity do not count.
RequestShape shape_of(slurm::JobRequest request);

}  // namespace bridge::scheduling
