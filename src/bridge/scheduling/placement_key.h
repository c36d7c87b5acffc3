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

// Everything beside the nodes themselves that decides which nodes can never take a pod.
struct PlacementRequest {
  std::shared_ptr<const kube::Pod> pod;
  // Of its job, or several with commas between them; empty: Slurm's default, whichever that is.
  std::string partition;
  workload::VolumePlaces volumes;
  std::set<slurm::SlurmNodeName> avoid;  // was tried and could not take it
};

// Requests with equal keys can be served by the same nodes, whoever made them.
struct PlacementKey {
  std::string text;

  friend auto operator<=>(const PlacementKey&, const PlacementKey&) = default;
};

// Guarantees  contains every field that workload::never_fits() and workload::out_of_reach() read of
//             a pod and its volumes, the partition and the nodes to avoid.
PlacementKey placement_key(const PlacementRequest& request);

}  // namespace bridge::scheduling
