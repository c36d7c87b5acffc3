// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/node_options.h"

#include "operator/api/conf_lines.h"
#include "operator/conf/tokens.h"
#include "operator/parts/parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace slurmop::parts {
namespace {

using Names = std::span<const std::string_view>;

// Parameters that the operator sets itself; validation refuses them (conf::check_node_options).
constexpr std::array<std::string_view, 8> kOwned = {
    "NodeName", "NodeAddr", "NodeHostname", "BcastAddr", "Port", "State", "Feature", "Features"};
// Each of them determines the number of CPUs.
constexpr std::array<std::string_view, 4> kCpuCounts = {
    "CPUs", "Sockets", "SocketsPerBoard", "Boards"};
constexpr std::array<std::string_view, 1> kMemory = {"RealMemory"};

bool is_one_of(std::string_view key, Names names) {
  return std::ranges::any_of(names,
                             [&](std::string_view name) { return api::same_key(name, key); });
}

std::vector<conf::Pair> given_pairs(const settle::WorkerSet& set) {
  const auto line = conf::read_line(set.spec.nodeConfig.static_);
  if (!line.ok() || !line->has_value()) return {};
  std::vector<conf::Pair> pairs = (*line)->pairs();
  std::erase_if(pairs, [](const conf::Pair& pair) { return is_one_of(pair.key.text(), kOwned); });
  return pairs;
}

bool has_any(const std::vector<conf::Pair>& pairs, Names names) {
  return std::ranges::any_of(
      pairs, [&](const conf::Pair& pair) { return is_one_of(pair.key.text(), names); });
}

std::string features(const settle::WorkerSet& set) {
  std::vector<std::string_view> all = {set.name};
  for (const std::string& feature : set.spec.nodeConfig.features) {
    if (std::ranges::find(all, feature) == all.end()) all.push_back(feature);
  }
  return fmt::format("Feature={}", fmt::join(all, ","));
}

const base::Quantity* amount(const settle::WorkerSet& set, const char* resource) {
  const auto found = set.spec.slurmd.resources.find(resource);
  if (found == set.spec.slurmd.resources.end() || found->second.is_zero()) return nullptr;
  return &found->second;
}

// Whole CPUs: a job cannot have a part of one.
std::optional<std::int64_t> cpus(const settle::WorkerSet& set) {
  const base::Quantity* cpu = amount(set, "cpu");
  if (cpu == nullptr) return std::nullopt;
  const auto milli = cpu->milli_value();
  if (!milli.ok()) return std::nullopt;
  return std::max<std::int64_t>(*milli / 1000, 1);
}

std::optional<std::int64_t> mebibytes(const settle::WorkerSet& set) {
  const base::Quantity* memory = amount(set, "memory");
  if (memory == nullptr) return std::nullopt;
  return std::max<std::int64_t>(memory->value() >> 20, 1);
}

}  // namespace

base::Result<void> check_node_options(const settle::WorkerSet& set) {
  auto line = conf::read_line(set.spec.nodeConfig.static_);
  if (line.ok()) return {};
  return std::move(line).error().in(fmt::format("NodeSet {}: spec.nodeConfig.static", set.name));
}

std::string node_options(const settle::WorkerSet& set) {
  const std::vector<conf::Pair> given = given_pairs(set);
  std::string text = features(set);
  if (const auto count = cpus(set); count && !has_any(given, kCpuCounts)) {
    text += fmt::format(" CPUs={}", *count);
  }
  if (const auto memory = mebibytes(set); memory && !has_any(given, kMemory)) {
    text += fmt::format(" RealMemory={}", *memory);
  }
  if (set.spec.slurmd.port != kSlurmdPort) text += fmt::format(" Port={}", set.spec.slurmd.port);
  for (const conf::Pair& pair : given) {
    text += fmt::format(" {}={}", pair.key.text(), pair.value.rendered());
  }
  return text;
}

}  // namespace slurmop::parts
