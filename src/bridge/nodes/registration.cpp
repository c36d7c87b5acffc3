// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/registration.h"

#include "net/files/token_file.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

#include <ranges>
#include <string_view>
#include <utility>

namespace bridge::nodes {
namespace {

using base::Error;
using base::Kind;
using base::Result;

template <class T>
Result<T> capacity(const kube::Node& node, const std::string& resource, unsigned shift) {
  const auto found = node.status.capacity.find(resource);
  const std::int64_t amount =
      found == node.status.capacity.end() ? 0 : found->second.value() >> shift;
  if (amount <= 0 || !std::in_range<T>(amount))
    return Error(Kind::invalid, fmt::format("the node has no usable status.capacity.{}", resource));
  return static_cast<T>(amount);
}

}  // namespace

bool asks_for_registration(const kube::Node& node) {
  return node.metadata.labels.contains(workload::kExternalNodeLabel) && !node.metadata.deleting();
}

std::vector<std::string> wanted_partitions(const kube::Node& node) {
  std::vector<std::string> names;
  const std::string& list = node.metadata.annotation(workload::kExternalNodePartitions);
  for (const auto part : std::views::split(std::string_view(list), ',')) {
    const std::string_view name = net::trimmed(std::string_view(part));
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

Result<Registration> registration_of(const kube::Node& node,
                                     const NodeDevices& devices,
                                     const slurm::SlurmNodeName& name,
                                     const std::string& cluster) {
  TRY(const std::uint32_t cpus, capacity<std::uint32_t>(node, "cpu", 0));
  TRY(const std::uint64_t memory, capacity<std::uint64_t>(node, "memory", 20));
  Registration wanted;
  wanted.node.name = name;
  const NodeDevices::Cores cores = devices.cores.value_or(NodeDevices::Cores{cpus, 1});
  wanted.node.cores = cores.cores;
  wanted.node.threads = cores.threads;
  wanted.node.memory_mib = memory;
  wanted.node.features = wanted_partitions(node);
  wanted.node.topology = node.metadata.annotation(workload::kTopologySpec);
  // Slurm resolves the address, and a name that does not resolve costs seconds each time.
  wanted.node.address = node.internal_ip();
  wanted.node.gres = devices.gres;
  wanted.node.gres_conf = devices.gres_conf;
  wanted.mark = {cluster, node.metadata.name, cpus, memory, devices.text()};
  return wanted;
}

}  // namespace bridge::nodes
