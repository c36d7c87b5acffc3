// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/workload.h"
#include "operator/parts/component_meta.h"
#include "operator/parts/controller_pod.h"
#include "operator/parts/parts.h"

#include <fmt/format.h>

#include <utility>

namespace slurmop::parts {
namespace {

constexpr std::string_view kComponentName = "controller";

// The files by name and, under `hash`, the hash by which the agent in the pod reports them.
base::Result<json::Object> configuration(const Cluster& cluster) {
  TRY(const SlurmFiles slurm, slurm_files(cluster));
  std::map<std::string, std::string> data{{"hash", slurm.hash}};
  for (const conf::File& file : slurm.files) {
    if (file.is_secret()) {
      return base::Error(base::Kind::internal,
                         fmt::format("{} is secret and cannot be in a ConfigMap", file.name()));
    }
    data.insert_or_assign(file.name(), std::string(file.reveal()));
  }
  return objects::config_map(component_meta(cluster, cluster.names.slurm_configs(), kComponentName),
                             data);
}

// One address for as long as the cluster exists, also while the pod is replaced. The name of the port
// makes the record _slurmctld._tcp, by which commands without a configuration file find slurmctld.
json::Object service(const Cluster& cluster) {
  return objects::service(
      component_meta(cluster, cluster.names.controller_service(), kComponentName),
      objects::ServiceKind::cluster_ip,
      objects::selector(cluster.names.cluster(), kComponentName),
      {{.name = "slurmctld", .port = slurmctld_port(cluster)}});
}

json::Object stateful_set(const Cluster& cluster) {
  ControllerPod pod = controller_pod(cluster);
  return objects::stateful_set(
      {.meta = component_meta(cluster, cluster.names.controller(), kComponentName),
       .selector = objects::selector(cluster.names.cluster(), kComponentName),
       .service = cluster.names.controller_service(),
       .replicas = 1,
       .pods = std::move(pod.pods),
       .claim_templates = std::move(pod.claim_templates)});
}

}  // namespace

// There is no PodDisruptionBudget: with one pod it would block the drain of a Kubernetes node for
// ever, and jobs continue while slurmctld is replaced.
base::Result<Objects> controller(const Cluster& cluster) {
  TRY(json::Object files, configuration(cluster));
  return Objects{std::move(files), service(cluster), stateful_set(cluster)};
}

}  // namespace slurmop::parts
