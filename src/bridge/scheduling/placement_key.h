// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"
#include "slurm/api/ids.h"
#include "workload/volume_places.h"

#include <compare>
#include <memory>
#include <set>
#include <string>

namespace bridge::scheduling {

// The input, besides the nodes, that decides which nodes can never run a pod.
struct PlacementRequest {
  std::shared_ptr<const kube::Pod> pod;
  // The partition of the job, or several separated by commas. Empty: Slurm's default partition.
  std::string partition;
  workload::VolumePlaces volumes;
  std::set<slurm::SlurmNodeName> avoid;  // nodes that could not run the pod
};

// Requests with equal keys get the same verdict on every node.
struct PlacementKey {
  std::string text;

  friend auto operator<=>(const PlacementKey&, const PlacementKey&) = default;
};

// Guarantees  the key contains every field of the pod and its volumes that workload::never_fits()
//             and workload::out_of_reach() read, the partition and the nodes to avoid.
PlacementKey placement_key(const PlacementRequest& request);

}  // namespace bridge::scheduling
