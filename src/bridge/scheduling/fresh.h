// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "slurm/mirror/job_views.h"

#include <chrono>

namespace bridge::scheduling {

// Maximum age of a read of the job that permits a bind: the timeout of a call plus some time to
// act. A state poll is not sufficient however recent it is: it does not contain the identity, and
// after a failover of slurmctld the id may belong to another job that also runs.
inline constexpr auto kFreshRead = std::chrono::seconds(12);

// Whether the view of a running job is recent enough to bind its pod. The age is counted from the
// time of the request: an answer that a stopped process reads after it resumes is as old as its
// request.
bool is_fresh(const slurm::JobView& view, base::Instant now);

}  // namespace bridge::scheduling
