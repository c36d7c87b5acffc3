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

// Random numbers that are assigned to a step when the plan is made. An action interprets them by
// the state of the world at the time of the step ("the third of the existing pods"), so that the
// step stays valid when other steps are removed from the plan.
using Draw = std::array<std::uint64_t, 4>;

// One action of users, administrators, networks or machines.
struct Action {
  std::string_view name;
  unsigned weight;  // frequency, relative to the other actions
  bool fault;       // a failure, as opposed to normal use
  // Executes the action and describes it for the timeline; empty if nothing could be done.
  std::function<std::string(World&, const Draw&)> apply;
};

// All actions. To add one, add a line in one of tests/sim/actions/*.cpp.
const std::vector<Action>& actions();

struct Step {
  base::Duration at{};
  const Action* action = nullptr;
  Draw draw{};
};

// The bridge processes that run.
enum class Topology {
  one,       // one process with all roles
  two,       // two processes with all roles, one of which leads by a Lease
  separate,  // one process for the scheduler and one for the controllers
  doubled,   // two processes with all roles that both act as leader
};
inline constexpr int kTopologies = 4;
std::string_view name(Topology topology);

struct Plan {
  std::uint64_t seed = 0;
  Topology topology = Topology::one;
  std::uint32_t nodes = 3;
  bool calm = false;      // no faults: then I5 limits the time of each step
  bool renamed = false;   // nodes have different names in Slurm and Kubernetes
  bool uneven = false;    // some nodes have less allocatable than capacity
  bool enforces = false;  // Slurm refuses jobs that exceed the limits of their partition
  bool deaf = false;      // no host answers at the addresses of Slurm's nodes
  // Time that Slurm needs for each answer; zero: milliseconds. It is not a fault.
  base::Duration slurm_takes{};
  bool stays = true;  // after all has settled, check that it stays so (I8)
  std::vector<Step> steps;
  std::vector<models::slurm::SlurmPartition> partitions;  // in addition to the one of all nodes
  std::function<std::unique_ptr<Invariant>()> extra;      // an additional invariant, for tests

  base::Duration length() const { return steps.empty() ? base::Duration() : steps.back().at; }
};

// Equal seeds give equal plans.
Plan make_plan(std::uint64_t seed);

}  // namespace sim
