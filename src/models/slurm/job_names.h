// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// Names that slurmrestd 26.05 accepts although the model does not implement them.
namespace models::slurm {

bool is_other_job_field(std::string_view name);
bool is_job_flag(std::string_view name);
bool is_node_state(std::string_view name);

}  // namespace models::slurm
