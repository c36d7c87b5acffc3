// SPDX-License-Identifier: Apache-2.0
#include "operator/api/conf_lines.h"

#include "base/ascii.h"
#include "operator/conf/custom_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace slurmop::api {

namespace {

using Problem = std::optional<std::string>;

// The CustomResourceDefinition refuses these as well; in a stored object they are an error.
Problem control_problem(std::string_view text) {
  const auto found = std::ranges::find_if(text, [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') || c == 0x7f;
  });
  if (found == text.end()) return std::nullopt;
  return fmt::format("line {}: remove control characters; lines end with a line feed only",
                     1 + std::count(text.begin(), found, '\n'));
}

Problem message_of(const base::Result<std::vector<conf::Pair>>& checked) {
  if (checked.ok()) return std::nullopt;
  return checked.error().message();
}

Problem joined(const std::vector<conf::Problem>& problems) {
  if (problems.empty()) return std::nullopt;
  std::string text;
  for (const conf::Problem& problem : problems) {
    if (!text.empty()) text += "; ";
    if (problem.line != 0) text += fmt::format("line {}: ", problem.line);
    text += problem.message;
  }
  return text;
}

}  // namespace

bool same_key(std::string_view a, std::string_view b) {
  return base::ascii_lower(a) == base::ascii_lower(b);
}

Problem node_options_problem(std::string_view text) {
  return message_of(conf::check_node_options(text));
}

Problem partition_options_problem(std::string_view text) {
  return message_of(conf::check_partition_options(text));
}

Problem partition_line_problem(std::string_view text) {
  const std::array<std::string, 1> lines = {std::string(text)};
  const auto checked = conf::check_partition_lines(lines, {.knows_node_sets = false});
  if (checked.ok()) return std::nullopt;
  return checked.problems.front().message;
}

Problem slurm_lines_problem(std::string_view text) {
  if (Problem wrong = control_problem(text)) return wrong;
  return joined(conf::check_custom_slurm_config(text, {.knows_node_sets = false}).problems);
}

Problem cgroup_lines_problem(std::string_view text) {
  if (Problem wrong = control_problem(text)) return wrong;
  return joined(conf::check_custom_cgroup_config(text).problems);
}

}  // namespace slurmop::api
