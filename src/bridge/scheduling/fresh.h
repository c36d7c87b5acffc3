// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "bridge/scheduling/timing.h"
#include "slurm/mirror/job_views.h"

#include <chrono>

namespace bridge::scheduling {

// Whether the view of a running job is recent enough to bind its pod. The age is counted from the
// time of the request: an answer that a stopped process reads after it resumes is as old as its
// request.
bool is_fresh(const slurm::JobView& view, base::Instant now);

}  // namespace bridge::scheduling
