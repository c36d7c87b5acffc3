// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/cgroup_conf.h"
#include "operator/conf/gres_conf.h"
#include "operator/conf/plugstack_conf.h"
#include "operator/conf/slurmdbd_conf.h"
#include "operator/conf/sshd_config.h"
#include "operator/conf/topology_conf.h"
#include "operator/parts/config_settings.h"
#include "operator/parts/config_slurm.h"
#include "operator/parts/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slurmop::parts {
namespace {

using base::Result;
using conf::File;

Result<File> slurm_conf(const Cluster& cluster) {
  TRY(const conf::SlurmConf input, slurm_conf_of(cluster));
  return conf::render_slurm_conf(input);
}

// Without cgroups: no field asks for privileged workers.
Result<File> cgroup_conf(const Cluster& cluster) {
  TRY(conf::CustomConfig custom,
      accepted(conf::check_custom_cgroup_config(cluster.spec().customCgroupConfig),
               "spec.customCgroupConfig"));
  return conf::render_cgroup_conf({.custom = std::move(custom)});
}

// A worker without GPUs finds none, so one line serves all NodeSets.
Result<File> gres_conf(const Cluster& cluster) {
  const bool detect = std::ranges::any_of(
      cluster.worker_sets, [](const WorkerSet& set) { return set.spec.gpu.enabled; });
  return conf::render_gres_conf({.auto_detect = detect ? "nvidia" : ""});
}

Result<File> plugstack_conf(const Cluster& cluster) {
  conf::PlugstackConf input;
  for (const api::CustomPlugin& plugin : cluster.spec().plugStackConfig.customPlugins) {
    input.plugins.push_back(
        {.path = plugin.path, .required = plugin.required, .arguments = plugin.arguments});
  }
  return conf::render_plugstack_conf(input);
}

// Changes if a file is added, removed, renamed or has other content.
std::string common_hash(const std::vector<File>& files) {
  std::string all;
  for (const File& file : files) all += fmt::format("{} {}\n", file.name(), file.hash());
  return conf::sha256_hex(all);
}

conf::Database own_database(const Cluster& cluster) {
  const auto& own = cluster.spec().slurmNodes.accounting.mariadbOperator;
  conf::Database database{.host = cluster.names.host(cluster.names.database_service())};
  if (own && own->port) database.port = static_cast<std::uint16_t>(*own->port);
  return database;
}

conf::Database database_of(const Cluster& cluster) {
  const api::ExternalDatabase& external = cluster.spec().slurmNodes.accounting.externalDB;
  conf::Database database = external.enabled
                                ? conf::Database{.host = external.host,
                                                 .port = static_cast<std::uint16_t>(external.port),
                                                 .user = external.user}
                                : own_database(cluster);
  database.password = conf::PasswordProgram{std::string(kDatabasePasswordProgram)};
  return database;
}

}  // namespace

Result<SlurmFiles> slurm_files(const Cluster& cluster) {
  SlurmFiles out;
  TRY(File slurm, slurm_conf(cluster));
  TRY(File cgroup, cgroup_conf(cluster));
  TRY(File gres, gres_conf(cluster));
  TRY(File plugstack, plugstack_conf(cluster));
  TRY(File topology, conf::render_topology_conf({}));
  for (File* file : {&slurm, &cgroup, &gres, &plugstack, &topology}) {
    out.files.push_back(std::move(*file));
  }
  out.hash = common_hash(out.files);
  return out;
}

Result<File> rest_slurm_conf(const Cluster& cluster) {
  return conf::render_client_conf(identity_of(cluster));
}

Result<File> slurmdbd_conf(const Cluster& cluster) {
  const conf::SlurmConf identity = identity_of(cluster);
  conf::SlurmdbdConf input{.host = "localhost",  // the host name of the pod is not known before
                           .auth = cluster.auth,
                           .database = database_of(cluster),
                           .settings = slurmdbd_settings(cluster.spec().slurmNodes.accounting)};
  if (identity.accounting) input.port = identity.accounting->port;
  return conf::render_slurmdbd_conf(input);
}

Result<File> sshd_config(const Cluster& cluster) {
  conf::SshdConfig input;
  const auto& sshd = cluster.spec().slurmNodes.login.sshd;
  if (sshd && sshd->port) input.port = static_cast<std::uint16_t>(*sshd->port);
  return conf::render_sshd_config(input);
}

}  // namespace slurmop::parts
