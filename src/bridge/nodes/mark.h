// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bridge::nodes {

// What stands in the comment of a Slurm node that we made or took over: whose it is, and what its
// Kubernetes node had then. Slurm's own numbers are no measure: it may make others of what it is
// told. Slurm keeps the comment of a node that was made while it ran; nothing
// in slurm.conf carries it, so that a node without it is never removed by us.
struct NodeMark {
  std::string cluster;
  std::string node;  // its name in Kubernetes
  std::uint32_t cpus = 0;
  std::uint64_t memory_mib = 0;
  std::string devices = {};  // NodeDevices::text()

  friend bool operator==(const NodeMark&, const NodeMark&) = default;
};

std::string mark_text(const NodeMark& mark);

// Empty for any other comment.
std::optional<NodeMark> read_mark(std::string_view comment);

}  // namespace bridge::nodes
