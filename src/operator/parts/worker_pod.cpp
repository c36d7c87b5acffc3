// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/file.h"
#include "operator/objects/object.h"
#include "operator/objects/passed_on.h"
#include "operator/objects/pod.h"
#include "operator/parts/canonical.h"
#include "operator/parts/container_settings.h"
#include "operator/parts/daemon_script.h"
#include "operator/parts/endpoints.h"
#include "operator/parts/home_folders.h"
#include "operator/parts/key_files.h"
#include "operator/parts/munge_sidecar.h"
#include "operator/parts/node_options.h"
#include "operator/parts/parts.h"
#include "operator/parts/pod_placement.h"
#include "operator/parts/worker_volumes.h"

#include <string>
#include <string_view>
#include <utility>

namespace slurmop::parts {
namespace {

// -b reports a new boot: without it slurmctld would believe that the jobs of a killed pod still run,
// because the uptime is that of the machine. The spool folder may belong to another account if it is
// a given volume.
constexpr std::string_view kStartSlurmd = R"bash(chown root:root /var/spool/slurmd
chmod 0755 /var/spool/slurmd
install -d -m 0755 /run/slurm
slurmd -D -b -Z -N "$POD_NAME" "$@" &
)bash";

ContainerSettings munge_settings(const WorkerSet& set) {
  ContainerSettings settings = settings_of(set.spec.munge);
  settings.image = set.munge_image;
  return settings;
}

// The CPU and memory of slurmd: a pod is Guaranteed only if its init containers have limits too, and
// requests that are not larger than those of slurmd cost nothing.
json::Object init_resources(const WorkerSet& set) {
  kube::ResourceList amounts;
  for (const char* name : {"cpu", "memory"}) {
    const auto found = set.spec.slurmd.resources.find(name);
    if (found != set.spec.slurmd.resources.end()) amounts.insert(*found);
  }
  return objects::resources(amounts, objects::CpuLimit::as_requested);
}

// slurmd has no capability to read files of other accounts.
KeyFiles key_files(const WorkerSet& set) {
  return {.owner = "root",
          .image = set.image,
          .pull_policy = set.spec.slurmd.image.pullPolicy,
          .resources = init_resources(set)};
}

std::vector<objects::Mount> slurmd_mounts(const Cluster& cluster, const WorkerSet& set) {
  std::vector<objects::Mount> mounts = {
      has_munge(cluster) ? munge_socket_mount() : keys_mount(), users_mount(), home_mount()};
  for (objects::Mount& mount : worker_mounts(set)) mounts.push_back(std::move(mount));
  return mounts;
}

json::Object slurmd_container(const Cluster& cluster, const WorkerSet& set) {
  objects::Container slurmd{
      .name = "slurmd",
      .image = set.image,
      .pull_policy = set.spec.slurmd.image.pullPolicy,
      .command = script(with_shell_as_init(kStartSlurmd), "slurmd"),
      .args = {"--conf", literal(node_options(set)), "--conf-server", conf_server(cluster)},
      .env = {objects::env_from_field("POD_NAME", "metadata.name")},
      .ports = {{"slurmd", set.spec.slurmd.port}},
      .security = objects::unprivileged({"SETUID", "SETGID", "CHOWN", "KILL"}),
      .readiness = objects::tcp_probe(set.spec.slurmd.port, 5),
      .mounts = slurmd_mounts(cluster, set),
  };
  if (!has_munge(cluster)) slurmd.env.push_back(key_variable());
  use_settings(settings_of(set.spec.slurmd), objects::CpuLimit::as_requested, slurmd);
  return objects::container(slurmd);
}

json::Array init_containers(const Cluster& cluster, const WorkerSet& set) {
  json::Array all = objects::passed_on(set.spec.customInitContainers);
  if (has_munge(cluster)) {
    all.push_back(munge_sidecar(cluster, munge_settings(set), objects::CpuLimit::as_requested));
  } else {
    all.push_back(keys_container(cluster, key_files(set)));
  }
  if (!has_shared_home(cluster)) all.push_back(homes_sidecar(cluster));
  return all;
}

json::Array pod_volumes(const Cluster& cluster, const WorkerSet& set, const std::string& pod) {
  json::Array all;
  if (has_munge(cluster)) {
    add_munge_volumes(cluster, all);
  } else {
    add_key_volumes(cluster, key_files(set), all);
  }
  all.push_back(users_volume(cluster));
  all.push_back(home_volume(cluster));
  add_worker_volumes(set, pod, all);
  return all;
}

objects::Labels pods_of(const Cluster& cluster, const WorkerSet& set) {
  objects::Labels labels = objects::selector(cluster.names.cluster(), set.component);
  labels.emplace(objects::kNodeSetLabel, set.name);
  return labels;
}

json::Object spec_of(const Cluster& cluster, const WorkerSet& set, const std::string& pod) {
  objects::PodSpec spec{
      .init_containers = init_containers(cluster, set),
      .containers = {slurmd_container(cluster, set)},
      .volumes = pod_volumes(cluster, set, pod),
      .service_account = cluster.names.service_account("worker"),
      .hostname = pod,
      .subdomain = cluster.names.worker_service(),
      .pull_secrets = set.spec.imagePullSecrets,
      .dns_searches = {cluster.names.controller_domain(),
                       cluster.names.host(cluster.names.worker_service())},
  };
  place(set.placement, spec);
  spec.affinity = spread(std::move(spec.affinity), pods_of(cluster, set));
  return objects::pod_spec(spec);
}

json::Object pod_named(const Cluster& cluster, const WorkerSet& set, const std::string& name) {
  objects::Labels labels = objects::labels(cluster.names.cluster(), set.component);
  labels.emplace(objects::kNodeSetLabel, set.name);
  labels.emplace(objects::kWorkerLabel, "true");
  json::Object pod = objects::object(kube::kPods,
                                     {.ns = cluster.names.ns(),
                                      .name = name,
                                      .labels = std::move(labels),
                                      .annotations = set.spec.workerAnnotations,
                                      .owner = set.owner});
  pod.set("spec", spec_of(cluster, set, name));
  return pod;
}

}  // namespace

// The pod of no ordinal represents all of them; the annotation cannot be part of its own hash.
std::string worker_template_hash(const Cluster& cluster, const WorkerSet& set) {
  WorkerSet hashed = set;
  hashed.spec.workerAnnotations.erase(std::string(objects::kTemplateHash));
  return conf::sha256_hex(canonical_text(pod_named(cluster, hashed, "")));
}

json::Object worker_pod(const Cluster& cluster, const WorkerSet& set, std::int64_t ordinal) {
  WorkerSet annotated = set;
  annotated.spec.workerAnnotations.insert_or_assign(std::string(objects::kTemplateHash),
                                                    worker_template_hash(cluster, set));
  return pod_named(cluster, annotated, set.pod_name(ordinal));
}

}  // namespace slurmop::parts
