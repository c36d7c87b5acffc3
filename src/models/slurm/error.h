// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace models::slurm {

// Slurm's texts for its error numbers, as in slurmrestd 26.05.
std::string_view words_of(int number);

// The HTTP status of slurmrestd's answer.
int status_of(int number);

}  // namespace models::slurm
