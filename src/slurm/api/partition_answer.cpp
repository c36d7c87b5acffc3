// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/partition_answer.h"

#include "json/decode.h"
#include "slurm/api/answer.h"
#include "slurm/api/hostlist.h"

#include <algorithm>

namespace slurm::inline api {
namespace wire {

struct PartitionNodes {
  std::string configured;
};
BOOST_DESCRIBE_STRUCT(PartitionNodes, (), (configured))

struct PartitionState {
  std::vector<std::string> state;
};
BOOST_DESCRIBE_STRUCT(PartitionState, (), (state))

struct Partition {
  std::string name;
  PartitionNodes nodes;
  PartitionState partition;
  std::vector<std::string> flags;
};
BOOST_DESCRIBE_STRUCT(Partition, (), (name, nodes, partition, flags))

struct Partitions {
  std::vector<Partition> partitions;
};
BOOST_DESCRIBE_STRUCT(Partitions, (), (partitions))

}  // namespace wire

namespace {

bool contains(const std::vector<std::string>& list, std::string_view value) {
  return std::ranges::find(list, value) != list.end();
}

base::Result<Partition> from_wire(wire::Partition&& wire) {
  TRY(std::vector<std::string> nodes, slurm::expand_hostlist(wire.nodes.configured));
  Partition partition;
  partition.name = std::move(wire.name);
  partition.up = contains(wire.partition.state, "UP");
  partition.is_default = contains(wire.flags, "DEFAULT");
  partition.nodes.reserve(nodes.size());
  for (std::string& node : nodes) partition.nodes.emplace_back(std::move(node));
  return partition;
}

}  // namespace

base::Result<std::vector<Partition>> partitions(const net::http::Response& answer) {
  json::Parser parser;
  TRY(const json::Node root, read(answer, parser));
  if (!root.find("partitions")) {
    return base::Error(base::Kind::protocol, "an answer without a list of partitions");
  }
  TRY(wire::Partitions wire, json::decode<wire::Partitions>(root));
  std::vector<Partition> all;
  all.reserve(wire.partitions.size());
  for (wire::Partition& one : wire.partitions) {
    TRY(Partition partition, from_wire(std::move(one)));
    all.push_back(std::move(partition));
  }
  return all;
}

}  // namespace slurm::inline api
