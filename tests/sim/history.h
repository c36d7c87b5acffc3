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

// What one plan led to.
struct History {
  std::optional<Violation> violation;
  base::Instant ended{};
  std::uint64_t requests = 0;
  std::map<std::string, std::uint64_t> steps;   // what was done, by action
  std::array<std::uint64_t, kFaults> faults{};  // requests that suffered, by fault
  std::vector<std::string> timeline;            // if it was recorded
};

History live(const Plan& plan, World::Record record = World::Record::no);

// The shortest plan found that breaks the same invariant. Expects that the plan breaks one.
struct Shrunk {
  Plan plan;
  History history;  // recorded
  std::size_t tries = 0;
};
Shrunk shrink(const Plan& plan, const std::string& invariant);

// A failure as a person wants to read it.
std::string report(const Plan& plan, const Shrunk& shrunk);

}  // namespace sim
