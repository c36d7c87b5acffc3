// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/config_slurm.h"

#include "base/ascii.h"
#include "operator/parts/config_settings.h"
#include "operator/parts/parts.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace slurmop::parts {
namespace {

using settle::Cluster;

std::uint16_t port_of(const std::optional<api::Container>& container, std::int64_t usual) {
  return static_cast<std::uint16_t>(container ? container->port.value_or(usual) : usual);
}

// Twice the desired workers: replacements and workers that are being removed are nodes as well.
std::uint32_t most_nodes(const Cluster& cluster) {
  constexpr std::uint64_t kLeast = 1024;
  constexpr std::uint64_t kMost = 65536;
  std::uint64_t total = 0;
  for (const settle::WorkerSet& set : cluster.worker_sets) {
    total += static_cast<std::uint64_t>(std::max<std::int64_t>(set.spec.replicas, 0));
  }
  return static_cast<std::uint32_t>(std::clamp(std::bit_ceil(2 * total), kLeast, kMost));
}

// soperator's default partitions.
std::vector<conf::Partition> default_partitions() {
  return {{.name = "main",
           .node_sets = {},
           .is_default = true,
           .options = "PriorityTier=10 MaxTime=INFINITE State=UP OverSubscribe=YES"},
          {.name = "hidden",
           .node_sets = {},
           .options = "Default=NO PriorityTier=10 PreemptMode=OFF Hidden=YES MaxTime=INFINITE "
                      "State=UP OverSubscribe=YES"}};
}

std::vector<conf::Partition> structured_partitions(const api::PartitionConfiguration& config) {
  std::vector<conf::Partition> all;
  for (const api::Partition& partition : config.partitions) {
    all.push_back(
        {.name = partition.name,
         .node_sets = partition.isAll ? std::vector<std::string>() : partition.nodeSetRefs,
         .options = partition.config});
  }
  return all;
}

base::Result<void> set_partitions(const api::SlurmClusterSpec& spec, conf::SlurmConf& out) {
  const api::PartitionConfiguration& config = spec.partitionConfiguration;
  if (config.configType == "structured") {
    out.partitions = structured_partitions(config);
  } else if (config.configType == "custom") {
    conf::Surrounding around = conf::surrounding_of(out);
    around.node_sets.merge(conf::defined_node_sets(spec.customSlurmConfig));
    TRY(out.partition_lines,
        accepted(conf::check_partition_lines(config.rawConfig, around),
                 "spec.partitionConfiguration.rawConfig"));
  } else {
    out.partitions = default_partitions();
  }
  return {};
}

std::optional<conf::HealthCheck> health_check(const api::SlurmClusterSpec& spec) {
  if (!spec.healthCheckConfig) return std::nullopt;
  conf::HealthCheck out{
      .program = spec.healthCheckConfig->healthCheckProgram,
      .interval_seconds = static_cast<std::uint32_t>(spec.healthCheckConfig->healthCheckInterval),
      .node_states = {}};
  for (const api::HealthCheckNodeState& one : spec.healthCheckConfig->healthCheckNodeState) {
    out.node_states.push_back(one.state);
  }
  return out;
}

void set_programs(const api::SlurmConfig& config, conf::Programs& programs) {
  if (!config.prolog.empty()) programs.prolog.push_back(config.prolog);
  if (!config.epilog.empty()) programs.epilog.push_back(config.epilog);
}

}  // namespace

base::Result<conf::CustomConfig> accepted(conf::CheckedConfig checked, std::string_view field) {
  if (checked.ok()) return std::move(checked.config);
  std::string text;
  for (const conf::Problem& problem : checked.problems) {
    if (!text.empty()) text += "; ";
    text += conf::to_string(problem, field);
  }
  return base::Error(base::Kind::invalid, std::move(text));
}

bool has_gpus(const Cluster& cluster) {
  return std::ranges::any_of(cluster.worker_sets, [](const settle::WorkerSet& set) {
    return set.spec.gpu.enabled ||
           base::ascii_lower(set.spec.nodeConfig.static_).contains("gres=gpu");
  });
}

conf::SlurmConf identity_of(const Cluster& cluster) {
  const settle::Names& names = cluster.names;
  const api::SlurmNodes& nodes = cluster.spec().slurmNodes;
  conf::SlurmConf out{
      .cluster_name = names.cluster(),
      .controllers = {{names.controller_pod(), names.host(names.controller_service())}},
      .slurmctld_port = port_of(nodes.controller.slurmctld, kSlurmctldPort),
      .slurmd_port = static_cast<std::uint16_t>(kSlurmdPort),
      .auth = cluster.auth};
  if (cluster.has_accounting()) {
    out.accounting =
        conf::AccountingClient{.host = names.host(names.accounting_service()),
                               .port = port_of(nodes.accounting.slurmdbd, kSlurmdbdPort)};
  }
  return out;
}

base::Result<conf::SlurmConf> slurm_conf_of(const Cluster& cluster) {
  const api::SlurmClusterSpec& spec = cluster.spec();
  conf::SlurmConf out = identity_of(cluster);
  out.has_gpus = has_gpus(cluster);
  out.most_nodes = most_nodes(cluster);
  out.health_check = health_check(spec);
  set_programs(spec.slurmConfig, out.programs);
  for (const settle::WorkerSet& set : cluster.worker_sets) {
    out.node_sets.push_back({.name = set.name, .feature = set.name});
  }
  TRY_VOID(set_partitions(spec, out));
  out.settings = slurm_settings(spec, out.has_gpus ? Gpus::some : Gpus::none);
  TRY(out.custom,
      accepted(conf::check_custom_slurm_config(spec.customSlurmConfig, conf::surrounding_of(out)),
               "spec.customSlurmConfig"));
  return out;
}

}  // namespace slurmop::parts
