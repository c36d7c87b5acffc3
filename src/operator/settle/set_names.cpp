// SPDX-License-Identifier: Apache-2.0
#include "operator/settle/worker_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slurmop::settle {
namespace {

// What is wrong with the name of `set` beside `other`; empty: nothing.
std::string conflict(const WorkerSet& set, const WorkerSet& other) {
  if (set.name == other.name || set.pod_prefix == other.pod_prefix) {
    return other.is_node_set
               ? fmt::format("NodeSet {} has pods of the same names; choose another name",
                             other.name)
               : "spec.slurmNodes.worker has workers of this name; choose another name or remove "
                 "that field";
  }
  if (!other.ordinal_of(set.name)) return "";
  // Slurm expands the name of a node set wherever a node is named: a drain of that node would drain
  // this whole set.
  return fmt::format(
      "{} is also the name of a Slurm node of {}; choose another name", set.name, other.name);
}

}  // namespace

void check_set_names(const std::vector<WorkerSet>& sets,
                     const Names& names,
                     api::Findings& findings) {
  const std::array<std::string, 3> stateful = {names.controller(), names.login(), names.database()};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const WorkerSet& set = sets[i];
    if (!set.is_node_set) continue;
    const std::string field = field_of_node_set(set.name, "metadata.name");
    if (std::ranges::find(stateful, set.pod_prefix) != stateful.end()) {
      findings.errors.push_back(
          {field,
           fmt::format("the pods of StatefulSet {} have the same names; choose another name",
                       set.pod_prefix)});
    }
    for (std::size_t j = 0; j < sets.size(); ++j) {
      // Of two NodeSets with one name, the second one has the error.
      if (i == j || (sets[j].name == set.name && sets[j].is_node_set && j > i)) continue;
      const std::string wrong = conflict(set, sets[j]);
      if (!wrong.empty()) findings.errors.push_back({field, wrong});
    }
  }
}

}  // namespace slurmop::settle
