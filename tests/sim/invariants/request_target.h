// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "invariant.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sim {

// The job that a request to Slurm cancels.
std::optional<std::uint32_t> cancelled_job(const Request& request);
// The one that it reads.
std::optional<std::uint32_t> read_job(const Request& request);

// What a write to the API server is about: "pods", namespace, name, subresource.
struct Target {
  std::string plural;
  std::string ns;
  std::string name;
  std::string subresource;
};
std::optional<Target> target_of(const Request& request);

}  // namespace sim
