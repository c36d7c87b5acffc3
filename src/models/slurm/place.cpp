// SPDX-License-Identifier: Apache-2.0
#include "models/slurm/place.h"

#include <algorithm>
#include <map>
#include <optional>

namespace models::slurm {
namespace {

// True if the job may run on that node, regardless of its size.
bool may_use(const SlurmJob& job, const SlurmNode& node) {
  if (node.external && !job.external) return false;
  if (!job.excluded.empty() && job.excluded.contains(node.name)) return false;
  return has_features(node, job.features);
}

bool requires_node(const SlurmJob& job, const SlurmNode& node) {
  return !job.required.empty() && job.required.contains(node.name);
}

std::vector<SlurmHost*> place_on(const SlurmJob& job,
                                 std::uint32_t count,
                                 SlurmHosts hosts,
                                 const std::function<bool(const SlurmHost&)>& allowed) {
  const NodeShare share = share_of(job, count);
  std::vector<SlurmHost*> required;
  std::vector<SlurmHost*> others;
  for (SlurmHost* host : hosts) {
    const bool wanted = requires_node(job, *host->node);
    if (!wanted && required.size() + others.size() >= count && job.required.empty()) break;
    if (!host->node->takes_jobs() || !host->use.fits(*host->node, share)) continue;
    if (!may_use(job, *host->node) || !allowed(*host)) continue;
    (wanted ? required : others).push_back(host);
  }
  if (required.size() < job.required.size() || required.size() + others.size() < count) return {};
  required.insert(required.end(), others.begin(), others.begin() + (count - required.size()));
  return required;
}

std::uint32_t most_nodes(const SlurmJob& job) {
  return std::max(job.node_count,
                  std::min(job.max_nodes, job.tasks > 0 ? job.tasks : job.max_nodes));
}

Prospects prospects_on(const SlurmJob& job, std::uint32_t count, SlurmHosts hosts) {
  const NodeShare share = share_of(job, count);
  Prospects found;
  found.needed = count;
  std::size_t required_capable = 0;
  std::size_t required_available = 0;
  for (const SlurmHost* host : hosts) {
    const SlurmNode& node = *host->node;
    if (!could_hold(node, share) || !may_use(job, node)) continue;
    const bool required = requires_node(job, node);
    ++found.capable;
    required_capable += required ? 1 : 0;
    if (node.takes_jobs()) {
      ++found.available;
      required_available += required ? 1 : 0;
    } else if (node.down && (required || job.required.empty())) {
      found.unavailable.push_back(node.name);
    }
  }
  found.required_capable = required_capable == job.required.size();
  found.required_available = required_available == job.required.size();
  return found;
}

}  // namespace

Prospects prospects_of(const SlurmJob& job, SlurmHosts hosts) {
  std::optional<Prospects> best;
  for (std::uint32_t count = most_nodes(job); count >= job.node_count; --count) {
    Prospects found = prospects_on(job, count, hosts);
    if (found.now()) return found;
    if (!best || (!best->ever() && found.ever())) best = std::move(found);
  }
  return *best;
}

std::vector<SlurmHost*> place(const SlurmJob& job,
                              SlurmHosts hosts,
                              const std::function<bool(const SlurmHost&)>& allowed) {
  for (std::uint32_t count = most_nodes(job); count >= job.node_count; --count) {
    auto found = place_on(job, count, hosts, allowed);
    if (!found.empty()) return found;
  }
  return {};
}

Reservation reservation_of(const SlurmJob& job,
                           SlurmHosts hosts,
                           std::span<const RunningJob> running,
                           base::Instant now) {
  const std::uint32_t count = prospects_of(job, hosts).needed;
  const NodeShare share = share_of(job, count);
  const bool only_required = job.required.size() >= count;
  Reservation found;
  std::map<std::string_view, SlurmHost> later;  // at that time
  std::set<std::string_view> free;
  for (const SlurmHost* host : hosts) {
    const SlurmNode& node = *host->node;
    if (!node.takes_jobs() || !could_hold(node, share) || !may_use(job, node)) continue;
    if (only_required && !requires_node(job, node)) continue;
    found.hosts.insert(host);
    later.emplace(node.name, *host);
    if (host->use.fits(node, share)) free.insert(node.name);
  }
  const auto enough = [&] {
    return free.size() >= count &&
           std::ranges::all_of(job.required, [&](const auto& name) { return free.contains(name); });
  };
  found.start = now;
  for (const RunningJob& one : running) {
    if (enough()) return found;
    for (const SlurmAllocation& held : one.job->allocation) {
      const auto host = later.find(held.node);
      if (host == later.end()) continue;
      host->second.use.release(held);
      if (host->second.use.fits(*host->second.node, share)) free.insert(host->first);
    }
    found.start = std::max(now, one.end);
  }
  return found;
}

}  // namespace models::slurm
