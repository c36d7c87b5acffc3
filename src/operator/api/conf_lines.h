// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

// The parts of a configuration file that a resource contains as text: lines of slurm.conf, and the
// parameters of one node or partition. The rules for lines and partitions are those of
// operator/conf/custom_config.h; here they are applied to one field without knowledge of the others.
// Each function returns what is wrong; nothing if the text is allowed.
namespace slurmop::api {

// Keys of Slurm's files are compared without case.
bool same_key(std::string_view a, std::string_view b);

// Parameters of a node, separated by spaces.
std::optional<std::string> node_options_problem(std::string_view text);

// Parameters of a partition, separated by spaces.
std::optional<std::string> partition_options_problem(std::string_view text);

// One whole PartitionName line. Which NodeSets exist is not checked.
std::optional<std::string> partition_line_problem(std::string_view text);

// Lines of slurm.conf and cgroup.conf: all problems, each with its line. Which NodeSets and partitions
// exist is not checked.
std::optional<std::string> slurm_lines_problem(std::string_view text);
std::optional<std::string> cgroup_lines_problem(std::string_view text);

}  // namespace slurmop::api
