// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace workload {

// One name in the requests or limits of a container.
struct AskedResource {
  std::string container;  // "container \"main\"", "init container \"setup\"", "the pod as a whole"
  std::string field;      // "spec.containers[0].resources.requests"
  std::string resource;   // "cpu"
};

// All resources that the containers request by name, in the order of the specification: the pod's
// own resources, then app containers, then init containers.
std::vector<AskedResource> asked_resources(const kube::Pod& pod);

// "gpu.nvidia.com" of "deviceclass.resource.kubernetes.io/gpu.nvidia.com"; empty if the resource is
// not a device of a class.
std::optional<std::string_view> device_class(std::string_view resource);
// True for a device of the CPU class, and for a device of any other class.
bool is_cpu_device(const AskedResource& asked);
bool is_other_device(const AskedResource& asked);

}  // namespace workload
