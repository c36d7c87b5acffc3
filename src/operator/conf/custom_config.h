// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/conf/key_spec.h"
#include "operator/conf/line.h"

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slurmop::conf {

// How workers track the processes of a job.
enum class ProcessTracking { linuxproc, cgroup };

// One thing to correct in the custom configuration.
struct Problem {
  std::size_t line = 0;  // counted from 1; 0 if it concerns the whole text
  std::string message;

  friend bool operator==(const Problem&, const Problem&) = default;
};

// What the user's text contains, line by line; only valid lines.
struct CustomConfig {
  std::vector<Line> lines;

  // The first line that begins with this key, ignoring case; null if there is none.
  const Line* find(std::string_view key) const;
};

struct CheckedConfig {
  CustomConfig config;
  std::vector<Problem> problems;  // in the order of lines

  bool ok() const { return problems.empty(); }
};

// What the operator itself renders into the same file.
struct Surrounding {
  std::set<std::string> node_sets = {};
  std::set<std::string> partitions = {};
  ProcessTracking tracking = ProcessTracking::linuxproc;
  bool has_default_partition = false;
  bool knows_node_sets = true;  // false: a partition may name any NodeSet

  // Adds the partitions of these lines.
  void add(const CustomConfig& partition_lines);
};

// Checks spec.customSlurmConfig.
//
// Guarantees  every line of the result is one that Slurm's parser accepts, with a known key that the
//             operator does not own, at most once, and with a value of the form that the key
//             expects. All problems are returned, not only the first.
// Does not    check that paths exist or that values suit each other; Slurm's own parser and a
//             throw-away slurmctld do that before the file becomes active.
CheckedConfig check_custom_slurm_config(std::string_view text, const Surrounding& around);

// The same for spec.customCgroupConfig.
CheckedConfig check_custom_cgroup_config(std::string_view text);

// Checks the lines of spec.partitionConfiguration.rawConfig; the number of a problem's line is that
// of the list item. Each item is one PartitionName line.
CheckedConfig check_partition_lines(std::span<const std::string> lines, const Surrounding& around);

// The names of the NodeSets that a custom configuration defines, whether or not its lines are valid.
std::set<std::string> defined_node_sets(std::string_view text);

// Whether the pairs of a partition contain Default=YES.
bool sets_default(std::span<const Pair> pairs);

// Checks the rest of a partition line, which spec.partitionConfiguration.partitions[].config holds:
// "MaxTime=60 PriorityTier=2". Nodes and PartitionName belong to the operator.
base::Result<std::vector<Pair>> check_partition_options(std::string_view text);

// Checks the parameters of a worker, which nodeConfig.static holds: "CoresPerSocket=8 Gres=gpu:2".
// Address, state and features belong to the operator. NodeCPUs, which soperator's charts write for
// its own version of Slurm, is returned as CPUs.
base::Result<std::vector<Pair>> check_node_options(std::string_view text);

// "spec.customSlurmConfig line 3: ..." for a condition or a denial.
std::string to_string(const Problem& problem, std::string_view field);

// More is refused: the file must fit into a ConfigMap beside the others.
inline constexpr std::size_t kMostCustomBytes = 256 * 1024;
// A text with more problems reports this many; the rest is counted.
inline constexpr std::size_t kMostProblems = 20;

}  // namespace slurmop::conf
