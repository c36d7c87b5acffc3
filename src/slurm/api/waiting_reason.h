// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace slurm::inline api {

// What Slurm's reason for a waiting job means, in plain words for somebody who does not know Slurm:
// "Priority" -> "jobs with a higher priority come first". Empty for a reason that we do not know;
// Slurm's own word is shown in any case.
std::string_view waiting_in_words(std::string_view reason);

// Whether a job that asks for the same waits for the same reason: true for limits, partitions and
// priorities, not for what is one job's own, such as a hold or being the next one.
bool holds_for_its_like(std::string_view reason);

}  // namespace slurm::inline api
