// SPDX-License-Identifier: Apache-2.0
#include "history.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sim {
namespace {

bool breaks(const Plan& plan, const std::string& invariant) {
  const History history = live(plan);
  return history.violation && history.violation->invariant == invariant;
}

// Removes runs of `size` steps from the plan as long as it violates the invariant.
bool without_pieces(Plan& plan,
                    std::size_t size,
                    const std::string& invariant,
                    std::size_t& tries) {
  bool shorter = false;
  for (std::size_t at = 0; at < plan.steps.size();) {
    Plan candidate = plan;
    const auto first = candidate.steps.begin() + static_cast<std::ptrdiff_t>(at);
    const auto left = static_cast<std::size_t>(candidate.steps.end() - first);
    candidate.steps.erase(first, first + static_cast<std::ptrdiff_t>(std::min(size, left)));
    ++tries;
    if (breaks(candidate, invariant)) {
      plan = std::move(candidate);
      shorter = true;
    } else {
      at += size;
    }
  }
  return shorter;
}

}  // namespace

History live(const Plan& plan, World::Record record) {
  World world(plan, record);
  History history;
  history.violation = world.run();
  history.ended = world.now();
  history.requests = world.requests();
  history.faults = world.faults().hits();
  history.steps = world.steps_done();
  history.timeline = world.timeline().lines();
  return history;
}

Shrunk shrink(const Plan& original, const std::string& invariant) {
  Plan plan = original;
  std::size_t tries = 0;
  for (std::size_t size = std::max<std::size_t>(plan.steps.size() / 2, 1); size > 0;) {
    const bool shorter = without_pieces(plan, size, invariant, tries);
    if (!shorter || size > 1) size = size > 1 ? size / 2 : 0;
  }
  for (const Topology simpler : {Topology::one, Topology::separate}) {
    Plan candidate = plan;
    candidate.topology = simpler;
    ++tries;
    if (simpler < plan.topology && breaks(candidate, invariant)) {
      plan = candidate;
      break;
    }
  }
  return {plan, live(plan, World::Record::yes), tries};
}

std::string report(const Plan& plan, const Shrunk& shrunk) {
  const Violation& violation = *shrunk.history.violation;
  auto invariants = make_invariants();
  if (plan.extra) invariants.push_back(plan.extra());
  std::string_view sentence;
  for (const auto& invariant : invariants) {
    if (invariant->name() == violation.invariant) sentence = invariant->sentence();
  }
  return fmt::format(
      "seed {}, shrunk from {} to {} steps, breaks {} ({})\n"
      "{}, {} nodes\n"
      "{}\n",
      plan.seed,
      plan.steps.size(),
      shrunk.plan.steps.size(),
      violation.invariant,
      sentence,
      name(shrunk.plan.topology),
      shrunk.plan.nodes,
      fmt::join(shrunk.history.timeline, "\n"));
}

}  // namespace sim
