// SPDX-License-Identifier: Apache-2.0
#include "operator/settle/worker_sets.h"

#include "base/ascii.h"
#include "base/duration.h"
#include "base/integer.h"
#include "operator/conf/custom_config.h"
#include "operator/settle/image.h"
#include "operator/settle/placement.h"
#include "operator/settle/worker_form.h"

#include <fmt/format.h>

#include <algorithm>

namespace slurmop::settle {
namespace {

std::optional<base::Duration> drain_timeout(const std::string& text,
                                            std::string field,
                                            api::Findings& findings) {
  if (text.empty()) return std::nullopt;
  const auto parsed = base::parse_duration(text);
  if (parsed.ok() && *parsed >= base::Duration::zero()) return *parsed;
  findings.errors.push_back({std::move(field), "write a duration such as 90s or 1h30m"});
  return std::nullopt;
}

// The parameters as this version of Slurm reads them. Invalid ones are among the findings already.
std::string node_options(const std::string& text) {
  const auto pairs = conf::check_node_options(text);
  if (!pairs.ok()) return text;
  std::string out;
  for (const conf::Pair& pair : *pairs) {
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", pair.key.text(), pair.value.rendered());
  }
  return out;
}

std::string image_or(const std::optional<api::Container>& container, const std::string& fallback) {
  return container && !container->image.empty() ? container->image : fallback;
}

}  // namespace

kube::OwnerReference owner_reference(const kube::Resource& resource,
                                     const kube::ObjectMeta& metadata) {
  return {.apiVersion = resource.api_version(),
          .kind = resource.kind,
          .name = metadata.name,
          .uid = metadata.uid,
          .controller = true,
          .blockOwnerDeletion = true};
}

std::string field_of_node_set(std::string_view node_set, std::string_view field) {
  return fmt::format("NodeSet {}: {}", node_set, field);
}

std::string WorkerSet::pod_name(std::int64_t ordinal) const {
  return fmt::format("{}-{}", pod_prefix, ordinal);
}

std::optional<std::int64_t> WorkerSet::ordinal_of(std::string_view pod) const {
  if (!pod.starts_with(pod_prefix)) return std::nullopt;
  std::string_view digits = pod.substr(pod_prefix.size());
  if (!digits.starts_with('-')) return std::nullopt;
  digits.remove_prefix(1);
  if (!std::ranges::all_of(digits, base::is_digit)) return std::nullopt;
  if (digits.size() > 1 && digits.starts_with('0')) return std::nullopt;
  const auto ordinal = base::parse_integer<std::int64_t>(digits);
  return ordinal.ok() ? std::optional(*ordinal) : std::nullopt;
}

WorkerSet worker_form_set(const Cluster& cluster, api::Findings& findings) {
  const api::Worker& worker = *cluster.spec().slurmNodes.worker;
  const std::string name(api::kWorkerSet);
  const bool is_short = cluster.names.naming() == Naming::short_names;
  WorkerSet set{
      .name = name,
      .pod_prefix = is_short ? name : fmt::format("{}-{}", cluster.names.cluster(), name),
      .component = "worker",
      .owner = cluster.owner,
      .generation = cluster.resource.metadata.generation,
      .spec = node_set_form(cluster.spec(), worker),
      .placement = placement_of(
          cluster.spec(), worker.k8sNodeFilterName, worker.priorityClass, worker.hostUsers),
      .image = image_or(worker.slurmd, cluster.defaults.slurm_image),
      .munge_image = image_or(worker.munge, cluster.defaults.slurm_image)};
  set.drain_timeout =
      drain_timeout(worker.drainTimeout, "spec.slurmNodes.worker.drainTimeout", findings);
  return set;
}

WorkerSet node_set_workers(const api::NodeSet& node_set,
                           const Defaults& defaults,
                           api::Findings& findings) {
  const kube::ObjectMeta& metadata = node_set.metadata;
  const api::NodeSetSpec& spec = node_set.spec;
  WorkerSet set{.name = metadata.name,
                .pod_prefix = metadata.name,
                .component = "nodeset",
                .is_node_set = true,
                .owner = owner_reference(api::kNodeSets, metadata),
                .generation = metadata.generation,
                .spec = spec,
                .placement = placement_of(spec),
                .image = image_of(spec.slurmd.image, defaults.slurm_image),
                .munge_image = spec.munge ? image_of(spec.munge->image, defaults.slurm_image)
                                          : defaults.slurm_image};
  set.spec.nodeConfig.static_ = node_options(spec.nodeConfig.static_);
  set.drain_timeout = drain_timeout(
      spec.drainTimeout, field_of_node_set(metadata.name, "spec.drainTimeout"), findings);
  return set;
}

}  // namespace slurmop::settle
