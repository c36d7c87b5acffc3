// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace slurm::inline client {

// A version of slurmrestd's API.
enum class ApiVersion { v0_0_43, v0_0_44, v0_0_45 };

struct ApiVersionEntry {
  ApiVersion version;
  std::string_view name;     // as in the path of a request
  std::string_view release;  // of Slurm, the first one that serves the version
};

// The versions that the bridge can use, oldest first: those that can create external jobs. No other
// code of the product names a version.
inline constexpr auto kApiVersions = std::to_array<ApiVersionEntry>({
    {ApiVersion::v0_0_43, "v0.0.43", "25.05"},
    {ApiVersion::v0_0_44, "v0.0.44", "25.11"},
    {ApiVersion::v0_0_45, "v0.0.45", "26.05"},
});
inline constexpr ApiVersion kNewestApi = kApiVersions.back().version;

// "v0.0.45"
constexpr std::string_view name(ApiVersion version) {
  for (const ApiVersionEntry& entry : kApiVersions)
    if (entry.version == version) return entry.name;
  return "";
}

}  // namespace slurm::inline client
