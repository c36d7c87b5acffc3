// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slurm/client/api_version.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

// For tests only.
namespace slurm::testing {

// The target of a request in the newest API version: "/job/1" -> "/slurm/v0.0.45/job/1".
inline std::string api_path(std::string_view path, ApiVersion version = kNewestApi) {
  return fmt::format("/slurm/{}{}", name(version), path);
}

// The same for accounting: "/job/1" -> "/slurmdb/v0.0.45/job/1".
inline std::string accounting_path(std::string_view path) {
  return fmt::format("/slurmdb/{}{}", name(kNewestApi), path);
}

}  // namespace slurm::testing
