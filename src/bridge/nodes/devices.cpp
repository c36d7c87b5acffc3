// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/devices.h"

#include "kube/api/resource_slice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace bridge::nodes {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using Slice = std::shared_ptr<const DeviceSlice>;

constexpr std::string_view kCpuDriver = "dra.cpu";
constexpr std::string_view kExampleDriver = "gpu.example.com";
constexpr std::string_view kNvidiaDriver = "gpu.nvidia.com";
constexpr std::int64_t kEfficient = 3;  // the value of "e-core" if the type is a number

bool has_gpus(std::string_view driver) {
  return driver == kExampleDriver || driver == kNvidiaDriver;
}

// A DNS label, as the API requires for the name of a device.
bool is_device_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

std::optional<std::int64_t> number(const kube::Device& device,
                                   std::string_view driver,
                                   const std::string& name) {
  const kube::DeviceAttribute* found = device.attribute(driver, name);
  return found == nullptr ? std::nullopt : found->int_;
}

std::optional<DeviceSlice::Cpu> cpu_of(const kube::Device& device) {
  const auto id = number(device, kCpuDriver, "cpuID");
  const auto core = number(device, kCpuDriver, "coreID");
  const auto socket = number(device, kCpuDriver, "socketID");
  if (!id || !core || !socket) return std::nullopt;
  const kube::DeviceAttribute* type = device.attribute(kCpuDriver, "coreType");
  const bool efficient = type != nullptr && (type->int_ == kEfficient || type->string_ == "e-core");
  return DeviceSlice::Cpu{*id, *core, *socket, efficient};
}

// "gpu-3" is 3; a part of a GPU ("gpu-3-mig-1g") has no number.
std::optional<std::int64_t> number_in_name(std::string_view name) {
  constexpr std::string_view kBegin = "gpu-";
  if (!name.starts_with(kBegin)) return std::nullopt;
  const std::string_view digits = name.substr(kBegin.size());
  std::uint32_t found = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), found);
  if (error != std::errc() || end != digits.end()) return std::nullopt;
  return found;
}

std::optional<DeviceSlice::Gpu> gpu_of(const kube::Device& device, std::string_view driver) {
  if (!is_device_name(device.name)) return std::nullopt;
  const auto index =
      driver == kNvidiaDriver ? number_in_name(device.name) : number(device, driver, "index");
  if (!index || *index < 0) return std::nullopt;
  return DeviceSlice::Gpu{*index, device.name};
}

DeviceSlice short_form(kube::ResourceSlice&& wire) {
  DeviceSlice slice;
  slice.metadata.name = std::move(wire.metadata.name);
  slice.metadata.uid = std::move(wire.metadata.uid);
  slice.metadata.resourceVersion = std::move(wire.metadata.resourceVersion);
  if (wire.spec.driver != kCpuDriver && !has_gpus(wire.spec.driver)) return slice;
  slice.driver = std::move(wire.spec.driver);
  slice.node = std::move(wire.spec.nodeName);
  slice.pool = std::move(wire.spec.pool.name);
  slice.generation = wire.spec.pool.generation;
  slice.slices_in_pool = wire.spec.pool.resourceSliceCount;
  for (const kube::Device& device : wire.spec.devices) {
    if (slice.driver == kCpuDriver) {
      const auto cpu = cpu_of(device);
      cpu ? slice.cpus.push_back(*cpu) : void(slice.grouped = true);
    } else if (auto gpu = gpu_of(device, slice.driver)) {
      slice.gpus.push_back(std::move(*gpu));
    }
  }
  return slice;
}

// The slices that count, by driver.
Result<std::map<std::string, std::vector<Slice>>> newest(const std::vector<Slice>& slices) {
  std::map<std::pair<std::string, std::string>, std::vector<Slice>> pools;
  for (const Slice& slice : slices) {
    if (slice->driver.empty()) continue;
    std::vector<Slice>& pool = pools[{slice->driver, slice->pool}];
    if (!pool.empty() && slice->generation < pool.front()->generation) continue;
    if (!pool.empty() && slice->generation > pool.front()->generation) pool.clear();
    pool.push_back(slice);
  }
  std::map<std::string, std::vector<Slice>> found;
  for (auto& [key, pool] : pools) {
    const auto there = static_cast<std::int64_t>(pool.size());
    const std::int64_t wanted = pool.front()->slices_in_pool;
    if (there < wanted) {
      return Error(Kind::unavailable,
                   fmt::format("driver {} has published {} of {} ResourceSlices of its pool {}",
                               key.first,
                               there,
                               wanted,
                               key.second));
    }
    std::ranges::move(pool, std::back_inserter(found[key.first]));
  }
  return found;
}

// As SlinkyProject/slurm-bridge counts them: siblings of one core are its threads.
std::optional<NodeDevices::Cores> cores_of(const std::vector<Slice>& slices) {
  std::set<std::int64_t> cpus;
  std::set<std::pair<std::int64_t, std::int64_t>> cores;
  for (const Slice& slice : slices) {
    if (slice->grouped) return std::nullopt;
    for (const DeviceSlice::Cpu& cpu : slice->cpus) {
      if (cpu.efficient) continue;
      cpus.insert(cpu.id);
      cores.emplace(cpu.socket, cpu.core);
    }
  }
  if (cores.empty()) return std::nullopt;
  // A driver that gives one number to several CPUs does not cause cores without threads.
  const std::size_t threads = std::max<std::size_t>(cpus.size() / cores.size(), 1);
  return NodeDevices::Cores{static_cast<std::uint32_t>(cores.size()),
                            static_cast<std::uint32_t>(threads)};
}

void add_gpus(NodeDevices& devices, const std::string& driver, const std::vector<Slice>& slices) {
  std::map<std::int64_t, std::string> gpus;
  for (const Slice& slice : slices) {
    for (const DeviceSlice::Gpu& gpu : slice->gpus) gpus.try_emplace(gpu.index, gpu.name);
  }
  if (gpus.empty()) return;
  if (!devices.gres.empty()) {
    devices.gres += ',';
    devices.gres_conf += '+';
  }
  devices.gres += fmt::format("gpu:{}:{}", driver, gpus.size());
  devices.gres_conf += fmt::format("count={},name=gpu,type={}", gpus.size(), driver);
  for (const auto& [index, name] : gpus) devices.gres_conf += ",file=" + name;
}

}  // namespace

std::string NodeDevices::text() const {
  std::string all = gres_conf;
  if (cores) all += fmt::format(" cores={},threads={}", cores->cores, cores->threads);
  return all;
}

bool driver_is_silent(std::string_view before, std::string_view now) {
  const auto speaks = [](std::string_view driver, std::string_view text) {
    if (driver == kCpuDriver) return text.contains(" cores=");
    return text.contains(fmt::format(",type={},", driver));
  };
  return std::ranges::any_of(
      std::array{kCpuDriver, kExampleDriver, kNvidiaDriver},
      [&](std::string_view driver) { return speaks(driver, before) && !speaks(driver, now); });
}

Result<NodeDevices> devices_of(const std::vector<Slice>& slices) {
  TRY(const auto by_driver, newest(slices));
  NodeDevices devices;
  for (const auto& [driver, found] : by_driver) {
    if (driver == kCpuDriver) devices.cores = cores_of(found);
    if (has_gpus(driver)) add_gpus(devices, driver, found);
  }
  return devices;
}

}  // namespace bridge::nodes

template <>
base::Result<bridge::nodes::DeviceSlice> kube::decode_object<bridge::nodes::DeviceSlice>(
    const json::Node& node) {
  TRY(kube::ResourceSlice wire, decode_object<ResourceSlice>(node));
  return bridge::nodes::short_form(std::move(wire));
}
