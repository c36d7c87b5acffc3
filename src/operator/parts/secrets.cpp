// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/component_meta.h"
#include "operator/parts/parts.h"

#include <utility>

namespace slurmop::parts {
namespace {

using Content = SecretOrder::Content;

// auth/slurm needs at least 32 bytes, munge at least 32; Slurm's documentation suggests 1024.
constexpr std::size_t kDaemonKeyBytes = 1024;
constexpr std::size_t kJwtKeyBytes = 32;  // the length of a SHA-256, which signs the tokens

SecretOrder order(const objects::Meta& meta, Content content, std::string key, std::size_t bytes) {
  return {.name = meta.name,
          .content = content,
          .key = std::move(key),
          .bytes = bytes,
          .metadata = objects::metadata(meta)};
}

// Keys of the running cluster: a new cluster of the same name can have new ones.
SecretOrder random_key(const Cluster& cluster,
                       std::string name,
                       std::string key,
                       std::size_t bytes) {
  return order(component_meta(cluster, std::move(name), "common"),
               Content::random_bytes,
               std::move(key),
               bytes);
}

SecretOrder host_keys(const Cluster& cluster) {
  const std::string& given = cluster.spec().secrets.sshdKeysName;
  return order(component_meta(cluster, given.empty() ? cluster.names.sshd_keys() : given, "login"),
               Content::ssh_host_keys,
               "",
               0);
}

// The database is kept when the cluster is deleted, and is useless without its password.
SecretOrder database_password(const Cluster& cluster) {
  return order(kept_meta(cluster, cluster.names.database_password(), "accounting"),
               Content::random_password,
               "password",
               0);
}

}  // namespace

std::vector<SecretOrder> secrets(const Cluster& cluster) {
  const settle::Names& names = cluster.names;
  std::vector<SecretOrder> all;
  if (cluster.auth == conf::AuthMode::munge) {
    all.push_back(random_key(cluster, names.munge_key(), "munge.key", kDaemonKeyBytes));
  } else {
    all.push_back(random_key(cluster, names.slurm_key(), "slurm.key", kDaemonKeyBytes));
  }
  all.push_back(random_key(cluster, names.jwt_key(), "rest_jwt.key", kJwtKeyBytes));
  all.push_back(host_keys(cluster));
  if (cluster.has_own_database()) all.push_back(database_password(cluster));
  return all;
}

}  // namespace slurmop::parts
