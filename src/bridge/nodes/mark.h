// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bridge::nodes {

// The comment of a Slurm node that we created or took over: its cluster, and what its Kubernetes
// node had then. Slurm's own numbers are not comparable: Slurm may change the values that it gets.
// Slurm keeps the comment of a node that was created while it ran; no node of slurm.conf has it, so
// a node without it is never removed by us.
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
