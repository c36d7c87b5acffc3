// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "operator/objects/pod.h"
#include "operator/settle/cluster.h"

#include <string>
#include <string_view>

// The keys of Slurm in a pod. Slurm requires plain files of the daemon's account with mode 0400, and
// a Secret volume has links to files of root: the init container `keys` copies them.
namespace slurmop::parts {

inline constexpr std::string_view kKeysFolder = "/etc/slurm-keys";  // slurm.key, jwt.key

struct KeyFiles {
  bool jwt_key = false;  // slurmctld and slurmdbd; with it a REST token can be made for any user
  std::string owner;  // "slurm"; "root" for daemons that have no capability to read others' files
  std::string image;
  std::string pull_policy;
  json::Object resources = {};
};

// The pod needs keys: auth/slurm, or the JWT key.
bool needs_keys(const settle::Cluster& cluster, const KeyFiles& files);
// The init container; slurm.key is copied with auth/slurm only.
json::Object keys_container(const settle::Cluster& cluster, const KeyFiles& files);
void add_key_volumes(const settle::Cluster& cluster, const KeyFiles& files, json::Array& volumes);
// For the containers that use the keys.
objects::Mount keys_mount();
// SLURM_SACK_KEY, for every container with a Slurm program that may read the key.
json::Object key_variable();

}  // namespace slurmop::parts
