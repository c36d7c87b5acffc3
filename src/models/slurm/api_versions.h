// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace models::slurm {

// The versions of slurmrestd's API that the model serves. The product has its own table
// (slurm/client/api_version.h); the model does not share it, so that a wrong version in the product
// fails tests. Versions are compared as text.
inline constexpr std::string_view kApi43 = "v0.0.43";
inline constexpr std::string_view kApi44 = "v0.0.44";
inline constexpr std::string_view kApi45 = "v0.0.45";
inline constexpr std::string_view kNewestApi = kApi45;

}  // namespace models::slurm
