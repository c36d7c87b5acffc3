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

// One ResourceSlice, as far as Slurm is told of its devices: CPUs of dra.cpu, GPUs of
// gpu.example.com and gpu.nvidia.com. Of other drivers' slices only the name is kept.
struct DeviceSlice {
  struct Cpu {
    std::int64_t id = 0;
    std::int64_t core = 0;
    std::int64_t socket = 0;
    bool efficient = false;  // an efficiency core: Slurm is not told of it
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
  bool grouped = false;  // has devices of several CPUs each, which say nothing of cores
  std::vector<Gpu> gpus;
};

// What Slurm is told of a node's devices.
struct NodeDevices {
  struct Cores {
    std::uint32_t cores = 1;
    std::uint32_t threads = 1;  // of each
    friend bool operator==(const Cores&, const Cores&) = default;
  };
  std::optional<Cores> cores;  // empty: Kubernetes' capacity counts
  std::string gres;            // "gpu:gpu.nvidia.com:2"
  std::string gres_conf;       // "count=2,name=gpu,type=gpu.nvidia.com,file=gpu-0,file=gpu-1"

  // All of it in one line, equal for equal devices; empty if there are none.
  std::string text() const;
};

// Of two texts of NodeDevices: whether a driver that spoke in the first is silent in the second.
bool driver_is_silent(std::string_view before, std::string_view now);

// What the slices of one node say together.
//
// Guarantees  of each pool only its newest generation counts, and only as a whole: while slices of
//             it are missing the answer is Kind::unavailable and names the pool. The order of the
//             slices plays no part. No name of a device can open a new place in Slurm's line.
base::Result<NodeDevices> devices_of(const std::vector<std::shared_ptr<const DeviceSlice>>& slices);

}  // namespace bridge::nodes

namespace kube {
template <>
base::Result<bridge::nodes::DeviceSlice> decode_object<bridge::nodes::DeviceSlice>(
    const json::Node& node);
}  // namespace kube
