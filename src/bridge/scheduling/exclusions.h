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

// A node of Slurm, with what Kubernetes knows of it.
struct Candidate {
  const slurm::Node& slurm;
  const kube::Node* kubernetes = nullptr;  // null: Kubernetes has no such node
  workload::NodeRoom room;                 // beside what is not ours
};

// What a pod brings along that decides where it can never run.
struct Needs {
  const kube::Pod& pod;
  // Of its job, or several with commas between them; empty: Slurm's default, whichever that is.
  std::string partition;
  workload::VolumePlaces volumes;
  std::set<slurm::SlurmNodeName> avoid;  // was tried and could not take it
};

struct Exclusions {
  std::vector<slurm::SlurmNodeName> nodes;  // for the job's excluded_nodes
  std::size_t left = 0;                     // nodes that may take the pod one day
  std::map<std::string, std::size_t> why;   // how many nodes are out, by reason

  // Nodes were looked at, and none of them can ever take the pod.
  bool none_left() const { return left == 0 && !why.empty(); }
  // Adds what was found for other nodes.
  void add(Exclusions others);
  // "3 nodes: nodeSelector requires disk=ssd; 1 node: Kubernetes has no such node". The most frequent
  // reasons, and how many nodes there are for others.
  std::string words() const;
};

// The nodes that Slurm must not choose for the pod.
//
// Guarantees  only names that Slurm knows; nothing that passes by itself is excluded; nodes outside
//             of the partition are not named, because Slurm does not choose them anyway.
Exclusions exclusions(const Needs& needs, std::span<const Candidate> candidates);

}  // namespace bridge::scheduling
