// SPDX-License-Identifier: Apache-2.0
#include "models/slurm/ledger.h"

#include <algorithm>
#include <ranges>
#include <string_view>

namespace models::slurm {
namespace {

bool is_of(std::string_view own, std::string_view asked) {
  if (own == asked) return true;
  return own.size() > asked.size() && own.starts_with(asked) && own[asked.size()] == ':';
}

using GresCounts = std::map<std::string, std::uint32_t>;

std::uint32_t used_of(const GresCounts& used, const std::string& name) {
  const auto found = used.find(name);
  return found == used.end() ? 0 : found->second;
}

// The node's gres that satisfy the request; empty if they do not suffice. Requests with a type are
// served before requests for any type.
std::optional<GresCounts> pick_gres(const SlurmNode& node,
                                    const GresCounts& used,
                                    const GresCounts& asked) {
  GresCounts picked;
  for (const auto& [name, count] : std::views::reverse(asked)) {
    std::uint32_t left = count;
    for (const auto& [own, there] : node.gres) {
      if (!is_of(own, name)) continue;
      const std::uint32_t some = std::min(left, there - used_of(used, own) - used_of(picked, own));
      if (some > 0) picked[own] += some;
      left -= some;
    }
    if (left > 0) return std::nullopt;
  }
  return picked;
}

// The lowest `count` free places.
std::vector<std::uint32_t> lowest(std::vector<bool>& taken, std::uint32_t of, std::uint32_t count) {
  if (taken.size() < of) taken.resize(of);
  std::vector<std::uint32_t> given;
  for (std::uint32_t i = 0; i < of && given.size() < count; ++i) {
    if (!taken[i]) given.push_back(i);
  }
  return given;
}

void mark(std::vector<bool>& taken, const std::vector<std::uint32_t>& places, bool value) {
  for (const std::uint32_t place : places) {
    if (taken.size() <= place) taken.resize(place + 1);
    taken[place] = value;
  }
}

bool all_of(const SlurmNode& node, std::string_view conjunction) {
  while (!conjunction.empty()) {
    const std::size_t end = std::min(conjunction.find('&'), conjunction.size());
    if (!node.features.contains(std::string(conjunction.substr(0, end)))) return false;
    conjunction.remove_prefix(std::min(end + 1, conjunction.size()));
  }
  return true;
}

}  // namespace

NodeShare share_of(const SlurmJob& job, std::uint32_t nodes) {
  NodeShare share{job.cpus, job.memory_mb, &job.gres, job.exclusive};
  if (job.tasks > 0) share.cpus = (job.tasks + nodes - 1) / nodes * job.cpus_per_task;
  return share;
}

bool NodeUse::fits(const SlurmNode& node, const NodeShare& share) const {
  if (share.exclusive && !idle()) return false;
  if (cpus_ + share.cpus > node.cpus) return false;
  const std::uint64_t memory = share.memory_mb > 0 ? share.memory_mb : node.memory_mb;
  if (memory_mb_ + memory > node.memory_mb) return false;
  if (share.gres->empty()) return true;
  if (share.gres->size() > 1) return pick_gres(node, gres_, *share.gres).has_value();
  const auto& [asked, count] = *share.gres->begin();  // the most frequent case: no copies
  std::uint32_t free = 0;
  for (const auto& [own, there] : node.gres) {
    if (is_of(own, asked)) free += there - used_of(gres_, own);
  }
  return free >= count;
}

SlurmAllocation NodeUse::take(const SlurmNode& node, const NodeShare& share) {
  SlurmAllocation held;
  held.node = node.name;
  held.memory_mb = share.memory_mb > 0 ? share.memory_mb : node.memory_mb;
  held.cores = lowest(cores_, node.cpus, share.exclusive ? node.cpus : share.cpus);
  held.gres = pick_gres(node, gres_, *share.gres).value_or(GresCounts());
  if (node.dynamic) {
    for (const auto& [own, count] : held.gres) {
      held.gres_index[own] = lowest(gres_index_[own], node.gres.at(own), count);
    }
  }
  occupy(held);
  return held;
}

void NodeUse::occupy(const SlurmAllocation& held) {
  ++jobs_;
  cpus_ += static_cast<std::uint32_t>(held.cores.size());
  memory_mb_ += held.memory_mb;
  mark(cores_, held.cores, true);
  for (const auto& [name, count] : held.gres) gres_[name] += count;
  for (const auto& [name, places] : held.gres_index) mark(gres_index_[name], places, true);
}

void NodeUse::release(const SlurmAllocation& held) {
  --jobs_;
  cpus_ -= static_cast<std::uint32_t>(held.cores.size());
  memory_mb_ -= held.memory_mb;
  mark(cores_, held.cores, false);
  for (const auto& [name, count] : held.gres) gres_[name] -= count;
  for (const auto& [name, places] : held.gres_index) mark(gres_index_[name], places, false);
}

bool could_hold(const SlurmNode& node, const NodeShare& share) {
  static const NodeUse kNothing;
  return kNothing.fits(node, share);
}

bool has_features(const SlurmNode& node, std::string_view asked) {
  if (asked.empty()) return true;
  while (!asked.empty()) {
    const std::size_t end = std::min(asked.find('|'), asked.size());
    if (all_of(node, asked.substr(0, end))) return true;
    asked.remove_prefix(std::min(end + 1, asked.size()));
  }
  return false;
}

}  // namespace models::slurm
