// SPDX-License-Identifier: Apache-2.0
#include "models/slurm/gres.h"

#include "base/integer.h"

#include <algorithm>
#include <ranges>

namespace models::slurm {
namespace {

std::string_view kind_of(std::string_view name) {
  return name.substr(0, std::min(name.find(':'), name.size()));
}

// "gpu:a100:2", "gpu:2", "gpu=2" or "gpu".
std::pair<std::string, std::uint32_t> read_entry(std::string_view entry) {
  const std::size_t colon = entry.find_last_of(":=");
  if (colon == std::string_view::npos) return {std::string(entry), 1};
  const auto count = base::parse_integer<std::uint32_t>(entry.substr(colon + 1));
  if (!count.ok()) return {std::string(entry), 1};
  return {std::string(entry.substr(0, colon)), *count};
}

}  // namespace

std::optional<std::map<std::string, std::uint32_t>> read_gres(std::string_view tres) {
  std::map<std::string, std::uint32_t> found;
  while (!tres.empty()) {
    const std::size_t end = std::min(tres.find(','), tres.size());
    std::string_view entry = tres.substr(0, end);
    tres.remove_prefix(std::min(end + 1, tres.size()));
    if (!entry.starts_with("gres/") && !entry.starts_with("gres:")) return std::nullopt;
    entry.remove_prefix(5);
    const auto [name, count] = read_entry(entry);
    found[name] += count;
  }
  return found;
}

std::map<std::string, std::uint32_t> read_node_gres(std::string_view gres) {
  std::map<std::string, std::uint32_t> found;
  for (const auto part : std::views::split(gres, ',')) {
    const std::string_view entry(part);
    if (entry.empty()) continue;
    const auto [name, count] = read_entry(entry);
    found[name] += count;
  }
  return found;
}

bool gres_names_known(const std::map<std::string, std::uint32_t>& asked,
                      const std::map<std::string, SlurmNode>& nodes) {
  return std::ranges::all_of(std::views::keys(asked), [&](const std::string& name) {
    return std::ranges::any_of(std::views::values(nodes), [&](const SlurmNode& node) {
      return std::ranges::any_of(std::views::keys(node.gres), [&](const std::string& own) {
        return kind_of(own) == kind_of(name);
      });
    });
  });
}

bool features_known(std::string_view constraint, const std::map<std::string, SlurmNode>& nodes) {
  while (!constraint.empty()) {
    const std::size_t end = std::min(constraint.find_first_of("&|"), constraint.size());
    const std::string name(constraint.substr(0, end));
    constraint.remove_prefix(std::min(end + 1, constraint.size()));
    const bool known = std::ranges::any_of(std::views::values(nodes), [&](const SlurmNode& node) {
      return node.features.contains(name);
    });
    if (!known) return false;
  }
  return true;
}

}  // namespace models::slurm
