// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "chance.h"
#include "models/slurm/records.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

class Invariant;
class World;

// Numbers that a step was given when the plan was made. What they mean depends on the world at the
// moment of the step ("the third of the pods that there are"), so that a step still makes sense
// when others are taken out of the plan.
using Draw = std::array<std::uint64_t, 4>;

// One thing that users, administrators, networks or machines do.
struct Action {
  std::string_view name;
  unsigned weight;  // how often, relative to the others
  bool fault;       // something breaks, as opposed to being used
  // Does it and says what was done; empty if there was nothing to do it to.
  std::function<std::string(World&, const Draw&)> apply;
};

// Every action there is. A new one is a line in one of tests/sim/actions/*.cpp.
const std::vector<Action>& actions();

struct Step {
  base::Duration at{};
  const Action* action = nullptr;
  Draw draw{};
};

// Who runs.
enum class Topology {
  one,       // one process with all roles
  two,       // two of them, a Lease decides
  separate,  // scheduler and controllers apart
  doubled,   // two of them that both believe that they lead: the Lease is only a hint
};
inline constexpr int kTopologies = 4;
std::string_view name(Topology topology);

struct Plan {
  std::uint64_t seed = 0;
  Topology topology = Topology::one;
  std::uint32_t nodes = 3;
  bool calm = false;      // nothing breaks: then everything has to be quick, too
  bool renamed = false;   // Slurm has other names for the nodes than Kubernetes
  bool uneven = false;    // some nodes keep a part of what they have for themselves
  bool enforces = false;  // Slurm refuses what a partition's limits would never let start
  bool deaf = false;      // nobody answers at the addresses of Slurm's nodes
  // How long Slurm needs for each answer; zero: milliseconds. Nothing is broken by it.
  base::Duration slurm_takes{};
  bool stays = true;  // after it has come to rest: is it quiet then?
  std::vector<Step> steps;
  std::vector<models::slurm::SlurmPartition> partitions;  // besides the one of all nodes
  std::function<std::unique_ptr<Invariant>()> extra;      // one more promise to watch, for tests

  base::Duration length() const { return steps.empty() ? base::Duration() : steps.back().at; }
};

// The same seed makes the same plan.
Plan make_plan(std::uint64_t seed);

}  // namespace sim
