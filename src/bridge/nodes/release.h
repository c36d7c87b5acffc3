// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/nodes/sync.h"
#include "kube/client/client.h"
#include "net/async/loop.h"
#include "slurm/client/client.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bridge::nodes {

// For a switch to another bridge, or to none: what we set on the nodes, and its removal.

struct ReleaseOptions {
  std::string cluster;         // ours, as in marks
  std::string scheduler_name;  // the value of our taint
  bool unregister = false;     // also remove the idle nodes that we registered
};

// What is removed from one node, in this order. `left` lists what stays and why.
struct NodeReleasePlan {
  std::vector<NodeStep> steps;
  std::vector<std::string> left;
};

// Guarantees  only what is certainly ours: drains whose reason begins with kOurReason, cordons with
//             our annotation, our taint with our scheduler's name, nodes with our cluster's mark.
//             Nothing of a Slurm node that another cluster registered.
NodeReleasePlan release_of(const kube::Node* kube,
                           const slurm::Node* slurm,
                           const ReleaseOptions& options);

// Releases all nodes and reports each step as a line of text.
//
// Expects     no controllers run: they would set everything again.
// Guarantees  with Mode::plan nothing is changed; each step is based on the state of the node in
//             both systems at that moment, so that a second run continues where a first one
//             stopped; a node that fails is reported and does not prevent the release of the
//             others.
enum class Mode { plan, act };
struct Releasing {
  net::Loop& loop;
  kube::Client& kube;
  slurm::Client& slurm;
  std::function<void(const std::string&)> report;
};
// Returns the number of nodes that failed.
net::Task<base::Result<std::size_t>> release_nodes(Releasing context,
                                                   ReleaseOptions options,
                                                   Mode mode,
                                                   base::Duration call_timeout);

}  // namespace bridge::nodes
