// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "slurm/mirror/job_views.h"

#include <chrono>

namespace bridge::scheduling {

// How old a state poll may be on which a pod is bound.
inline constexpr auto kFreshPoll = std::chrono::seconds(5);
// How old a read of the job itself may be. It says more than a poll (state, nodes and identity in
// one answer), and a Slurm that needs several seconds per answer has nothing more recent to offer:
// the limit is the time after which a call is given up, and some time to act.
inline constexpr auto kFreshRead = std::chrono::seconds(12);

// Whether a pod may be bound on what is known of its running job. Ages count from when the request
// was sent: an answer that a stopped process reads when it goes on is as old as its request.
bool is_fresh(const slurm::JobView& view, base::Instant now);

}  // namespace bridge::scheduling
