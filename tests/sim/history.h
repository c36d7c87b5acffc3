// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan.h"
#include "world.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sim {

// The result of one plan.
struct History {
  std::optional<Violation> violation;
  base::Instant ended{};
  std::uint64_t requests = 0;
  std::map<std::string, std::uint64_t> steps;   // actions that had an effect, by name
  std::array<std::uint64_t, kFaults> faults{};  // number of requests by fault
  std::vector<std::string> timeline;            // empty if it was not recorded
};

History live(const Plan& plan, World::Record record = World::Record::no);

// Removes steps from a plan as long as it violates the same invariant.
//
// Expects     a plan that violates the invariant.
struct Shrunk {
  Plan plan;
  History history;  // recorded
  std::size_t tries = 0;
};
Shrunk shrink(const Plan& plan, const std::string& invariant);

// The readable report of a violation.
std::string report(const Plan& plan, const Shrunk& shrunk);

}  // namespace sim
