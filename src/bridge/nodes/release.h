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

// For who switches to another bridge, or to none: what of ours is on the nodes, and its end.

struct ReleaseOptions {
  std::string cluster;         // ours, as in marks
  std::string scheduler_name;  // the value of our taint
  bool unregister = false;     // also remove the idle nodes that we registered
};

// What is to be taken back of one node, in this order. `left` says what stays and why.
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

// Releases all nodes and tells each step as a line for people.
//
// Expects     that no controllers run: they would do it all again.
// Guarantees  with Mode::plan nothing is changed; each step is taken on what both systems say of
//             the node in that moment, so that a second run goes on where a first one stopped; a
//             node that fails is told of and does not keep the others from being released.
enum class Mode { plan, act };
struct Releasing {
  net::Loop& loop;
  kube::Client& kube;
  slurm::Client& slurm;
  std::function<void(const std::string&)> tell;
};
// How many nodes failed.
net::Task<base::Result<std::size_t>> release_nodes(Releasing context,
                                                   ReleaseOptions options,
                                                   Mode mode,
                                                   base::Duration call_timeout);

}  // namespace bridge::nodes
