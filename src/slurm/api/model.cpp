// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/model.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace slurm::inline api {
namespace {

constexpr std::array<std::pair<std::string_view, JobState>, 12> kBaseStates{{
    {"PENDING", JobState::pending},
    {"RUNNING", JobState::running},
    {"SUSPENDED", JobState::suspended},
    {"COMPLETED", JobState::completed},
    {"CANCELLED", JobState::cancelled},
    {"FAILED", JobState::failed},
    {"TIMEOUT", JobState::timeout},
    {"NODE_FAIL", JobState::node_fail},
    {"PREEMPTED", JobState::preempted},
    {"BOOT_FAIL", JobState::boot_fail},
    {"DEADLINE", JobState::deadline},
    {"OUT_OF_MEMORY", JobState::out_of_memory},
}};

}  // namespace

std::string_view name(JobState state) {
  for (const auto& [word, known] : kBaseStates) {
    if (known == state) return word;
  }
  return "UNKNOWN";
}

bool is_live(JobState state) {
  return state == JobState::pending || state == JobState::running || state == JobState::suspended;
}

bool is_over(JobState state) {
  return !is_live(state) && state != JobState::unknown;
}

JobState job_state(std::span<const std::string> states) {
  for (const std::string& word : states) {
    const auto* known = std::ranges::find(kBaseStates, word, [](const auto& s) { return s.first; });
    if (known != kBaseStates.end()) return known->second;
  }
  return JobState::unknown;
}

bool operator==(const Node& a, const Node& b) {
  const auto members = [](const Node& node) {
    return std::tie(node.name,
                    node.states,
                    node.reason,
                    node.reason_set_by,
                    node.cpus,
                    node.real_memory_mib,
                    node.partitions,
                    node.features,
                    node.gres,
                    node.comment,
                    node.extra,
                    node.topology);
  };
  return members(a) == members(b);
}

bool Node::has_state(std::string_view state) const {
  return std::ranges::find(states, state) != states.end();
}

bool Ping::responding() const {
  return std::ranges::any_of(controllers, &Controller::responding);
}

}  // namespace slurm::inline api
