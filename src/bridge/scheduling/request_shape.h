// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slurm/api/job_request.h"

#include <compare>
#include <cstddef>

namespace bridge::scheduling {

// Identifies equal job requests. Refusals and most waiting reasons of one job apply to all jobs of
// the same shape.
struct RequestShape {
  std::size_t value = 0;  // 0: unknown

  bool known() const { return value != 0; }
  friend auto operator<=>(const RequestShape&, const RequestShape&) = default;
};

// A hash of the request without the job's name and identity.
RequestShape shape_of(slurm::JobRequest request);

}  // namespace bridge::scheduling
