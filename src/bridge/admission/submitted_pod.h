// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/node.h"
#include "kube/api/pod.h"

#include <string>
#include <string_view>
#include <vector>

namespace bridge::admission {

// A pod as somebody asks the API server to keep it, as far as admission looks at it.
struct SubmittedPod {
  kube::Pod pod;
  bool resource_claims = false;
  bool topology_spread = false;
};

base::Result<SubmittedPod> read_pod(const json::Node& object);

// spec.schedulerName without reading the rest: most pods are not ours.
std::string_view scheduler_of(const json::Node& object);

// One name in the requests or limits of a container.
struct AskedResource {
  std::string container;  // "container \"main\"", "init container \"setup\"", "the pod as a whole"
  std::string field;      // "spec.containers[0].resources.requests"
  std::string resource;   // "cpu"
};

// Everything that the containers ask for by name, in the order of the specification: the pod's own
// resources, then app containers, then init containers.
std::vector<AskedResource> asked_resources(const kube::Pod& pod);

}  // namespace bridge::admission
