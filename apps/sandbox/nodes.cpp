// SPDX-License-Identifier: Apache-2.0
#include "nodes.h"

#include "base/rfc3339.h"

#include <fmt/format.h>

#include <algorithm>

namespace sandbox {
namespace {

constexpr std::uint32_t kCpus = 32;
constexpr std::uint64_t kMemoryMb = 131072;
constexpr std::uint32_t kGpus = 8;
constexpr std::int32_t kSmallPartition = 2;  // nodes

json::Array conditions(const std::string& now) {
  json::Array all;
  for (const std::string_view type : {"Ready", "MemoryPressure", "DiskPressure", "PIDPressure"}) {
    const bool is_ready = type == "Ready";
    all.emplace_back(json::Object{{"type", type},
                                  {"status", is_ready ? "True" : "False"},
                                  {"reason", "SandboxNode"},
                                  {"message", "simulated by slurm-bridge-sandbox"},
                                  {"lastHeartbeatTime", now},
                                  {"lastTransitionTime", now}});
  }
  return all;
}

}  // namespace

std::string node_name(std::int32_t index) {
  return fmt::format("sandbox-{:03}", index + 1);
}

json::Value kube_node(std::int32_t index, base::WallTime wall) {
  const std::string name = node_name(index);
  const json::Object resources{{"cpu", std::to_string(kCpus)},
                               {"memory", fmt::format("{}Mi", kMemoryMb)},
                               {"pods", "1000"},
                               {"nvidia.com/gpu", std::to_string(kGpus)}};
  return json::Object{
      {"apiVersion", "v1"},
      {"kind", "Node"},
      {"metadata",
       json::Object{{"name", name},
                    {"labels",
                     json::Object{{"kubernetes.io/hostname", name},
                                  {"type", "sandbox"},
                                  {"scheduler.slinky.slurm.net/external-node", "true"}}}}},
      {"status",
       json::Object{{"capacity", resources},
                    {"allocatable", resources},
                    {"conditions", conditions(base::format_rfc3339(wall))},
                    {"nodeInfo",
                     json::Object{{"kubeletVersion", "v1.36.0-sandbox"},
                                  {"containerRuntimeVersion", "sandbox://none"},
                                  {"kernelVersion", "sandbox"},
                                  {"osImage", "sandbox (no containers run here)"},
                                  {"operatingSystem", "linux"},
                                  {"architecture", "sandbox"},
                                  {"machineID", kName},
                                  {"systemUUID", kName},
                                  {"bootID", kName}}}}}};
}

models::slurm::SlurmOptions slurm_options(std::int32_t nodes) {
  models::slurm::SlurmOptions options;
  models::slurm::SlurmPartition small{"small", {}, {}};
  for (std::int32_t i = 0; i < nodes; ++i) {
    models::slurm::SlurmNode node;
    node.name = node_name(i);
    node.cpus = kCpus;
    node.sockets = 2;
    node.memory_mb = kMemoryMb;
    node.gres["gpu:a100"] = kGpus;
    node.features.insert("k8s");
    node.comment = "simulated by slurm-bridge-sandbox";
    options.nodes.push_back(node);
    if (i < kSmallPartition) small.nodes.push_back(node.name);
  }
  options.partitions.push_back(std::move(small));
  options.cluster_name = "sandbox";
  options.release = "26.05.5-sandbox";
  return options;
}

}  // namespace sandbox
