// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/exclusions.h"

#include "workload/node_fit.h"
#include "workload/pod_resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <string_view>

namespace bridge::scheduling {
namespace {

constexpr std::size_t kReasonsListed = 4;

// `partitions`: the partition of a job, or several separated by commas.
bool is_of(const slurm::Node& node, std::string_view partitions) {
  if (partitions.empty() || node.partitions.empty()) return true;
  return std::ranges::any_of(std::views::split(partitions, ','), [&](auto&& name) {
    return std::ranges::find(node.partitions, std::string_view(name)) != node.partitions.end();
  });
}

std::optional<std::string> why_not(const Needs& needs,
                                   const kube::Amounts& requests,
                                   const Candidate& candidate) {
  if (candidate.kubernetes == nullptr) return "Kubernetes has no such node";
  const kube::Node& node = *candidate.kubernetes;
  if (auto why = workload::never_fits(needs.pod, requests, node, candidate.room)) return why;
  if (auto why = workload::out_of_reach(needs.volumes, node)) return why;
  if (needs.avoid.contains(candidate.slurm.name)) return "it was tried and could not take the pod";
  return std::nullopt;
}

}  // namespace

std::string Exclusions::text() const {
  std::vector<std::pair<std::size_t, std::string_view>> most;
  for (const auto& [reason, count] : why) most.emplace_back(count, reason);
  std::ranges::sort(most, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(most.size(), kReasonsListed); ++i) {
    if (!text.empty()) text += "; ";
    text +=
        fmt::format("{} node{}: {}", most[i].first, most[i].first == 1 ? "" : "s", most[i].second);
  }
  std::size_t others = 0;
  for (std::size_t i = kReasonsListed; i < most.size(); ++i) others += most[i].first;
  if (others > 0)
    text += fmt::format("; and {} more node{} for other reasons", others, others == 1 ? "" : "s");
  return text;
}

void Exclusions::add(Exclusions others) {
  std::ranges::move(others.nodes, std::back_inserter(nodes));
  left += others.left;
  for (const auto& [reason, count] : others.why) why[reason] += count;
}

Exclusions exclusions(const Needs& needs, std::span<const Candidate> candidates) {
  Exclusions out;
  const auto listed = workload::pod_requests(needs.pod);
  const kube::Amounts requests = listed.ok() ? kube::Amounts(*listed) : kube::Amounts();
  for (const Candidate& candidate : candidates) {
    // The partition of the job may have changed: a node to avoid is excluded in every partition.
    const bool tried = needs.avoid.contains(candidate.slurm.name);
    if (!tried && !is_of(candidate.slurm, needs.partition)) continue;
    if (auto why = why_not(needs, requests, candidate)) {
      out.nodes.push_back(candidate.slurm.name);
      ++out.why[*why];
    } else {
      ++out.left;
    }
  }
  return out;
}

}  // namespace bridge::scheduling
