// SPDX-License-Identifier: Apache-2.0
#include "plan.h"

#include "actions/actions.h"

#include <algorithm>
#include <numeric>

namespace sim {

using namespace std::chrono_literals;

namespace {

std::vector<Action> all_actions() {
  std::vector<Action> all;
  for (const auto& some : {pod_actions(),
                           volume_actions(),
                           refusal_actions(),
                           foreign_actions(),
                           slurm_actions(),
                           node_actions(),
                           network_actions(),
                           process_actions()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

constexpr std::uint64_t kSlowWorlds = 0x736c6f77;
constexpr std::uint64_t kLabelRemoved = 0x6c6162656c;

const Action* choose(Chance& chance, bool calm) {
  const auto weight = [calm](const Action& action) {
    return calm && action.fault ? 0U : action.weight;
  };
  const auto sum = [&](unsigned so_far, const Action& action) { return so_far + weight(action); };
  const unsigned total = std::accumulate(actions().begin(), actions().end(), 0U, sum);
  std::uint64_t left = chance.below(total);
  for (const Action& action : actions()) {
    if (left < weight(action)) return &action;
    left -= weight(action);
  }
  return nullptr;
}

// Drawn from a separate Chance, so that the other steps of a plan stay the same. The step is late
// in the plan, so that the job is old.
void add_label_removal(Plan& plan) {
  Chance chance(plan.seed ^ kLabelRemoved);
  if (plan.calm || !chance.one_in(8)) return;
  Step step;
  step.at = chance.between(40s, 70s);
  step.action = &*std::ranges::find(actions(), kRemoveJobLabel, &Action::name);
  for (std::uint64_t& number : step.draw) number = chance.bits();
  plan.steps.push_back(step);
}

}  // namespace

std::string_view name(Topology topology) {
  switch (topology) {
    case Topology::one: return "one process";
    case Topology::two: return "two processes, one leads";
    case Topology::separate: return "scheduler and controllers apart";
    case Topology::doubled: return "two processes that both act";
  }
  return "";
}

const std::vector<Action>& actions() {
  static const std::vector<Action> all = all_actions();
  return all;
}

Plan make_plan(std::uint64_t seed) {
  Chance chance(seed);
  Plan plan;
  plan.seed = seed;
  plan.calm = chance.one_in(6);
  plan.topology = plan.calm ? Topology::one : static_cast<Topology>(chance.below(kTopologies));
  plan.nodes = static_cast<std::uint32_t>(1 + chance.below(4));
  plan.renamed = chance.one_in(3);
  plan.uneven = chance.one_in(2);
  plan.enforces = chance.one_in(3);
  plan.deaf = chance.one_in(4);
  plan.partitions = {{"short", {}, 1}, {"closed", {}, {}, {"root"}}};
  // Only every third history: the quiet time is mostly polling and costs as much as the rest.
  plan.stays = seed % 3 == 0;
  // Drawn from a separate Chance, so that the plans of other seeds stay the same.
  if (Chance(seed ^ kSlowWorlds).one_in(16)) plan.slurm_takes = 7s;
  const std::uint64_t count = 4 + chance.below(26);
  const base::Duration length = chance.between(5s, 60s);
  for (std::uint64_t i = 0; i < count; ++i) {
    Step step;
    step.at = chance.between(0s, length);
    step.action = choose(chance, plan.calm);
    for (std::uint64_t& number : step.draw) number = chance.bits();
    plan.steps.push_back(step);
  }
  add_label_removal(plan);
  std::ranges::sort(plan.steps, {}, &Step::at);
  return plan;
}

}  // namespace sim
