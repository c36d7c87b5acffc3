// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/value.h"
#include "operator/conf/file.h"
#include "operator/settle/cluster.h"

#include <string>
#include <string_view>
#include <vector>

// The desired objects of a cluster, component by component. Pure: equal clusters give equal objects.
// Every object has the labels of objects/labels.h and the owner reference of the cluster.
namespace slurmop::parts {

using settle::Cluster;
using settle::WorkerSet;
using Objects = std::vector<json::Object>;

// Configuration files of slurmctld (slurm.conf, cgroup.conf, gres.conf, plugstack.conf,
// topology.conf, ...) and the hash over all of them.
struct SlurmFiles {
  std::vector<conf::File> files;
  std::string hash;  // 64 hexadecimal digits
};
// Errors      invalid  a value of the resource is not accepted; the message names field and line.
base::Result<SlurmFiles> slurm_files(const Cluster& cluster);
// The minimal slurm.conf of slurmrestd. It contains nothing of the custom configuration, so it is
// valid whenever the cluster is.
base::Result<conf::File> rest_slurm_conf(const Cluster& cluster);
base::Result<conf::File> slurmdbd_conf(const Cluster& cluster);
base::Result<conf::File> sshd_config(const Cluster& cluster);

// A Secret that is created once and never changed. The executor generates the content.
struct SecretOrder {
  enum class Content {
    random_bytes,     // `bytes` random bytes under `key`
    random_password,  // 32 letters and digits under `key`
    ssh_host_keys,    // ssh_host_ed25519_key, ssh_host_ed25519_key.pub (and ecdsa)
  };
  std::string name;
  Content content = Content::random_bytes;
  std::string key = {};
  std::size_t bytes = 0;
  json::Object metadata;  // namespace, name, labels, owner reference

  friend bool operator==(const SecretOrder&, const SecretOrder&) = default;
};
std::vector<SecretOrder> secrets(const Cluster& cluster);

// ServiceAccounts, users, ssh keys, home claim, NetworkPolicies.
base::Result<Objects> common(const Cluster& cluster);
// ConfigMap of the configuration, Service, StatefulSet, PodDisruptionBudget.
base::Result<Objects> controller(const Cluster& cluster);
base::Result<Objects> rest(const Cluster& cluster);
base::Result<Objects> login(const Cluster& cluster);
// slurmdbd and, unless the database is external, MariaDB; nothing without accounting.
base::Result<Objects> accounting(const Cluster& cluster);
// Services and PodDisruptionBudgets of the workers; not their pods.
base::Result<Objects> workers(const Cluster& cluster);

// One worker pod, with the annotation kTemplateHash.
json::Object worker_pod(const Cluster& cluster, const WorkerSet& set, std::int64_t ordinal);
// The value of that annotation for pods that are created now. It does not depend on the ordinal.
std::string worker_template_hash(const Cluster& cluster, const WorkerSet& set);

// The claims of one worker, for volumes with volumeClaimTemplateSpec; the pod names them. They are
// created before the pod and never changed. With the retention policy whenDeleted: Retain they have
// no owner and outlive the NodeSet.
Objects worker_claims(const Cluster& cluster, const WorkerSet& set, std::int64_t ordinal);

// Ports and paths that several components use.
inline constexpr std::int64_t kSlurmctldPort = 6817;
inline constexpr std::int64_t kSlurmdPort = 6818;
inline constexpr std::int64_t kSlurmdbdPort = 6819;
inline constexpr std::int64_t kRestPort = 6820;
inline constexpr std::int64_t kAgentPort = 6880;  // status of the configuration agent, HTTP
// StoragePassScript of slurmdbd.conf: slurmdbd runs it as SlurmUser; it prints TOKEN=<password>.
inline constexpr std::string_view kDatabasePasswordProgram = "/run/slurmdbd/database-password";

}  // namespace slurmop::parts
