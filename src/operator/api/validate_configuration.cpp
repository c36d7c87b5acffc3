// SPDX-License-Identifier: Apache-2.0
#include "operator/api/validate_configuration.h"

#include "operator/conf/custom_config.h"

#include <fmt/format.h>

#include <algorithm>

namespace slurmop::api {

namespace {

constexpr std::string_view kCustom = "spec.customSlurmConfig";
constexpr std::string_view kRaw = "spec.partitionConfiguration.rawConfig";

bool has_error(const Findings& findings, std::string_view field) {
  return std::ranges::any_of(
      findings.errors, [&](const FieldError& error) { return error.field.starts_with(field); });
}

// The partitions that the operator renders from fields, except those of rawConfig.
void add_partitions(const PartitionConfiguration& config, conf::Surrounding& around) {
  if (config.configType == "default") {
    around.partitions = {"main", "hidden"};
    around.has_default_partition = true;
  }
  if (config.configType != "structured") return;
  for (const Partition& partition : config.partitions) {
    around.partitions.insert(partition.name);
    const auto options = conf::check_partition_options(partition.config);
    around.has_default_partition |= options.ok() && conf::sets_default(*options);
  }
}

conf::Surrounding surrounding(const SlurmClusterSpec& spec, const NodeSetNames& node_sets) {
  conf::Surrounding around{.knows_node_sets = node_sets.has_value()};
  if (node_sets) around.node_sets = *node_sets;
  if (spec.slurmNodes.worker) around.node_sets.insert(std::string(kWorkerSet));
  add_partitions(spec.partitionConfiguration, around);
  return around;
}

// Slurm accepts one default partition; of several it uses the last.
void check_defaults(const PartitionConfiguration& config, Findings& findings) {
  if (config.configType != "structured") return;
  std::string first;
  for (std::size_t i = 0; i < config.partitions.size(); ++i) {
    const Partition& partition = config.partitions[i];
    const auto options = conf::check_partition_options(partition.config);
    if (!options.ok() || !conf::sets_default(*options)) continue;
    if (first.empty()) {
      first = partition.name;
      continue;
    }
    findings.errors.push_back(
        {fmt::format("spec.partitionConfiguration.partitions[{}].config", i),
         fmt::format("partition {} is the default already; remove Default=YES", first)});
  }
}

// Returns the partitions of rawConfig in `around`.
void check_raw(const SlurmClusterSpec& spec, conf::Surrounding& around, Findings& findings) {
  if (spec.partitionConfiguration.configType != "custom" || has_error(findings, kRaw)) return;
  conf::Surrounding with_custom = around;
  with_custom.node_sets.merge(conf::defined_node_sets(spec.customSlurmConfig));
  const auto checked =
      conf::check_partition_lines(spec.partitionConfiguration.rawConfig, with_custom);
  for (const conf::Problem& problem : checked.problems) {
    const std::string place =
        problem.line == 0 ? std::string(kRaw) : fmt::format("{}[{}]", kRaw, problem.line - 1);
    findings.errors.push_back({place, problem.message});
  }
  around.add(checked.config);
}

}  // namespace

void check_configuration(const SlurmClusterSpec& spec,
                         const NodeSetNames& node_sets,
                         Findings& findings) {
  check_defaults(spec.partitionConfiguration, findings);
  conf::Surrounding around = surrounding(spec, node_sets);
  check_raw(spec, around, findings);
  if (has_error(findings, kCustom)) return;
  const auto checked = conf::check_custom_slurm_config(spec.customSlurmConfig, around);
  for (const conf::Problem& problem : checked.problems) {
    findings.errors.push_back({std::string(kCustom),
                               problem.line == 0
                                   ? problem.message
                                   : fmt::format("line {}: {}", problem.line, problem.message)});
  }
}

}  // namespace slurmop::api
