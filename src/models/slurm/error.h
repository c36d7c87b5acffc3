// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace models::slurm {

// Slurm's own words for its error numbers, as slurmrestd 26.05 says them.
std::string_view words_of(int number);

// The HTTP status that slurmrestd answers with.
int status_of(int number);

}  // namespace models::slurm
