// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slurm/api/model.h"

#include <string>
#include <string_view>

namespace slurmop::workers {

// The reasons that the operator gives to Slurm.
inline constexpr std::string_view kScaleDown = "slurm-operator: scale-down";
inline constexpr std::string_view kPodReplaced = "slurm-operator: pod replaced";

// Who took a node out of service, by draining it or setting it down.
enum class OutOfService {
  no,
  by_us,         // the reason has our prefix
  by_slurmctld,  // down because its slurmd was lost or replaced
  by_others,     // an administrator, or a check of Slurm that an administrator must look at
};
OutOfService out_of_service(const slurm::Node& node);
bool drained_by_us(const slurm::Node& node);

// The reason for setting a node down whose pod was replaced. The reason of others is kept: it is
// shown to them, and a node with our reason would be resumed.
std::string down_reason(const slurm::Node& node);

}  // namespace slurmop::workers
