// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/api/meta.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bridge::nodes {

// One ResourceSlice, with the devices that are registered in Slurm: CPUs of dra.cpu, GPUs of
// gpu.example.com and gpu.nvidia.com. For slices of other drivers only the name is kept.
struct DeviceSlice {
  struct Cpu {
    std::int64_t id = 0;
    std::int64_t core = 0;
    std::int64_t socket = 0;
    bool efficient = false;  // an efficiency core: not registered in Slurm
  };
  struct Gpu {
    std::int64_t index = 0;
    std::string name;
  };

  kube::ObjectMeta metadata;
  std::string driver;
  std::string node;
  std::string pool;
  std::int64_t generation = 0;
  std::int64_t slices_in_pool = 0;
  std::vector<Cpu> cpus;
  bool grouped = false;  // has devices with several CPUs each, which do not show cores
  std::vector<Gpu> gpus;
};

// The devices of a node as registered in Slurm.
struct NodeDevices {
  struct Cores {
    std::uint32_t cores = 1;
    std::uint32_t threads = 1;  // per core
    friend bool operator==(const Cores&, const Cores&) = default;
  };
  std::optional<Cores> cores;  // empty: Kubernetes' capacity counts
  std::string gres;            // "gpu:gpu.nvidia.com:2"
  std::string gres_conf;       // "count=2,name=gpu,type=gpu.nvidia.com,file=gpu-0,file=gpu-1"

  // All of it in one line, equal for equal devices; empty without devices.
  std::string text() const;
};

// For two texts of NodeDevices: true if a driver of the first has no device in the second.
bool driver_is_silent(std::string_view before, std::string_view now);

// The devices in all slices of one node.
//
// Guarantees  of each pool only the newest generation counts, and only if it is complete: while
//             slices are missing the result is Kind::unavailable and names the pool. The order of
//             the slices has no effect. No device name can end its value in Slurm's syntax.
base::Result<NodeDevices> devices_of(const std::vector<std::shared_ptr<const DeviceSlice>>& slices);

}  // namespace bridge::nodes

namespace kube {
template <>
base::Result<bridge::nodes::DeviceSlice> decode_object<bridge::nodes::DeviceSlice>(
    const json::Node& node);
}  // namespace kube
