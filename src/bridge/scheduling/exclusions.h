// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"
#include "slurm/api/ids.h"
#include "slurm/api/model.h"
#include "workload/node_usage.h"
#include "workload/volume_places.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace bridge::scheduling {

// A Slurm node with its Kubernetes node.
struct Candidate {
  const slurm::Node& slurm;
  const kube::Node* kubernetes = nullptr;  // null: Kubernetes has no such node
  workload::NodeRoom room;                 // NodeUsage::without_ours()
};

// The properties of a pod that decide on which nodes it can never run.
struct Needs {
  const kube::Pod& pod;
  // The partition of the job, or several separated by commas. Empty: Slurm's default partition.
  std::string partition;
  workload::VolumePlaces volumes;
  std::set<slurm::SlurmNodeName> avoid;  // nodes that could not run the pod
};

struct Exclusions {
  std::vector<slurm::SlurmNodeName> nodes;  // for the job's excluded_nodes
  std::size_t left = 0;                     // number of evaluated nodes that are not excluded
  std::map<std::string, std::size_t> why;   // number of excluded nodes by reason

  // Nodes were evaluated, and all of them are excluded.
  bool none_left() const { return left == 0 && !why.empty(); }
  // Adds the result for other nodes.
  void add(Exclusions others);
  // "3 nodes: nodeSelector requires disk=ssd; 1 node: Kubernetes has no such node". Lists the most
  // frequent reasons, and the number of nodes with other reasons.
  std::string text() const;
};

// Returns the nodes that Slurm must not choose for the pod.
//
// Guarantees  returns only names of candidates; excludes no node for a temporary condition; does
//             not list nodes outside the partition, which Slurm does not choose, except nodes to
//             avoid.
Exclusions exclusions(const Needs& needs, std::span<const Candidate> candidates);

}  // namespace bridge::scheduling
