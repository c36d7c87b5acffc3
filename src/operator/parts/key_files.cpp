// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/key_files.h"

#include "operator/parts/container_settings.h"

#include <utility>

namespace slurmop::parts {
namespace {

constexpr std::string_view kVolume = "keys";
constexpr std::string_view kSlurmSecret = "slurm-key";
constexpr std::string_view kJwtSecret = "jwt-key";

// Arguments: the owner, then source and name of each key. The owner is changed last: without further
// capabilities root cannot change the mode of a file of another account.
constexpr std::string_view kCopyKeys = R"bash(umask 077
owner=$1
shift
chmod 0755 /etc/slurm-keys
while [ $# -ge 2 ]; do
  rm -f "/etc/slurm-keys/$2"
  install -m 0400 "$1" "/etc/slurm-keys/$2"
  chown "$owner" "/etc/slurm-keys/$2"
  shift 2
done
)bash";

bool has_slurm_key(const settle::Cluster& cluster) {
  return cluster.auth == conf::AuthMode::slurm;
}

std::string secret_folder(std::string_view volume) {
  return "/secrets/" + std::string(volume);
}

}  // namespace

bool needs_keys(const settle::Cluster& cluster, const KeyFiles& files) {
  return has_slurm_key(cluster) || files.jwt_key;
}

json::Object keys_container(const settle::Cluster& cluster, const KeyFiles& files) {
  objects::Container keys{.name = "keys",
                          .image = files.image,
                          .pull_policy = files.pull_policy,
                          .command = script(kCopyKeys, "keys"),
                          .args = {files.owner},
                          .resources = files.resources};
  if (files.owner == "root") {
    keys.security = objects::unprivileged({});
  } else {
    keys.security = objects::unprivileged({"CHOWN"});
  }
  keys.mounts.push_back({.volume = std::string(kVolume), .path = std::string(kKeysFolder)});
  const auto copy = [&](std::string_view volume, const std::string& key, const char* name) {
    keys.args.push_back(secret_folder(volume) + "/" + key);
    keys.args.emplace_back(name);
    keys.mounts.push_back(
        {.volume = std::string(volume), .path = secret_folder(volume), .read_only = true});
  };
  if (has_slurm_key(cluster)) copy(kSlurmSecret, "slurm.key", "slurm.key");
  if (files.jwt_key) copy(kJwtSecret, "rest_jwt.key", "jwt.key");
  return objects::container(keys);
}

void add_key_volumes(const settle::Cluster& cluster, const KeyFiles& files, json::Array& volumes) {
  volumes.push_back(objects::memory_dir(std::string(kVolume), "1Mi"));
  if (has_slurm_key(cluster)) {
    volumes.push_back(objects::secret_volume(std::string(kSlurmSecret), cluster.names.slurm_key()));
  }
  if (files.jwt_key) {
    volumes.push_back(objects::secret_volume(std::string(kJwtSecret), cluster.names.jwt_key()));
  }
}

objects::Mount keys_mount() {
  return {.volume = std::string(kVolume), .path = std::string(kKeysFolder), .read_only = true};
}

json::Object key_variable() {
  return objects::env("SLURM_SACK_KEY", std::string(kKeysFolder) + "/slurm.key");
}

}  // namespace slurmop::parts
