// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "invariant.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sim {

// The job that a request to Slurm cancels, if any.
std::optional<std::uint32_t> cancelled_job(const Request& request);
// The job that a request to Slurm reads, if it reads exactly one.
std::optional<std::uint32_t> read_job(const Request& request);

// The object of a request to the API server.
struct Target {
  std::string plural;
  std::string ns;
  std::string name;
  std::string subresource;
};
std::optional<Target> target_of(const Request& request);

}  // namespace sim
