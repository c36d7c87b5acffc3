// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace slurm::inline api {

// Explains Slurm's reason for a pending job to a user who does not know Slurm: "Priority" -> "jobs
// with a higher priority come first". Empty for an unknown reason; messages always contain Slurm's
// own reason.
std::string_view waiting_reason_text(std::string_view reason);

// True if another job with the same request is pending for the same reason: limits, partitions and
// priorities. False for reasons of one job only, such as a hold or "Resources".
bool is_shared_by_equal_requests(std::string_view reason);

}  // namespace slurm::inline api
