// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace slurm {

// What Slurm's reason for a waiting job means, in plain words for somebody who does not know Slurm:
// "Priority" -> "jobs with a higher priority come first". Empty for a reason that we do not know;
// Slurm's own word is shown in any case.
std::string_view waiting_in_words(std::string_view reason);

}  // namespace slurm
