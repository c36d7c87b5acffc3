// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

// The parts of a configuration file that a resource contains as text: lines of slurm.conf, and the
// parameters of one node or partition.
namespace slurmop::api {

// Keys of Slurm's files are compared without case.
bool same_key(std::string_view a, std::string_view b);

struct OptionRules {
  std::span<const std::string_view> owned;  // keys that the operator writes itself
  std::string_view remedy;                  // for such a key
};

struct LineRules {
  std::span<const std::string_view> owned;
  std::span<const std::string_view> repeated;  // keys that may appear on several lines
  // Keys whose line has further keys, such as NodeName.
  std::span<const std::string_view> with_options;
};

OptionRules node_option_rules();
OptionRules partition_option_rules();
LineRules slurm_line_rules();
LineRules cgroup_line_rules();

// Returns what is wrong with parameters separated by spaces; nothing if each is Key=Value, no key
// appears twice and none is owned.
std::optional<std::string> option_problem(std::string_view text, const OptionRules& rules);

// Returns what is wrong with lines for a configuration file, with the number of the first wrong
// line.
//
// Guarantees  allowed lines set one key each, no owned key and no key twice, include no other file
//             and are not continued on the next line.
std::optional<std::string> lines_problem(std::string_view text, const LineRules& rules);

}  // namespace slurmop::api
