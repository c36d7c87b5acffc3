// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"
#include "kube/api/meta.h"
#include "operator/api/generated/node_set.h"
#include "operator/api/generated/slurm_cluster.h"
#include "operator/api/validate.h"
#include "operator/conf/slurm_conf.h"
#include "operator/settle/names.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace slurmop::settle {

// Values of the operator's installation, from its flags.
struct Defaults {
  std::string slurm_image = "localhost/slurm:26.05";        // all Slurm daemons, sshd, munge, agent
  std::string database_image = "localhost/slurm-db:26.05";  // MariaDB
  std::string pull_policy = "IfNotPresent";
  std::string cluster_domain = "cluster.local";
};

// Where the pods of a component may run.
struct Placement {
  json::Value affinity = {};  // null: none
  std::map<std::string, std::string> node_selector = {};
  std::vector<json::Value> tolerations = {};
  std::string priority_class = {};
  std::optional<bool> host_users = {};
};

// An account that exists on all daemons with the same uid.
struct User {
  std::string name;
  std::uint32_t uid = 0;  // also the gid
  std::vector<std::string> public_keys = {};

  friend bool operator==(const User&, const User&) = default;
};

// Workers of one kind: a NodeSet, or spec.slurmNodes.worker in the same form.
struct WorkerSet {
  std::string name;  // of the Slurm NodeSet and of the feature: "worker" or the NodeSet's name
  std::string pod_prefix;       // pods and Slurm nodes are "<pod_prefix>-<ordinal>"
  std::string component;        // label app.kubernetes.io/component: "worker" or "nodeset"
  bool is_node_set = false;     // false: from spec.slurmNodes.worker
  kube::OwnerReference owner;   // of its pods: the NodeSet, or the cluster
  std::int64_t generation = 0;  // of the owner
  api::NodeSetSpec spec = {};   // spec.slurmNodes.worker is converted to this form
  Placement placement = {};
  std::string image;                                 // of slurmd
  std::string munge_image;                           // of the munge sidecar
  std::optional<base::Duration> drain_timeout = {};  // empty: wait for the jobs for ever

  std::string pod_name(std::int64_t ordinal) const;
  // The ordinal of a pod or Slurm node of this set; empty if the name is not one of this set.
  std::optional<std::int64_t> ordinal_of(std::string_view name) const;
};

// A SlurmCluster after all decisions that do not depend on observed pods or on Slurm.
struct Cluster {
  api::SlurmCluster resource;
  kube::OwnerReference owner;  // for every object of the cluster
  Names names;
  Defaults defaults;
  conf::AuthMode auth = conf::AuthMode::slurm;
  std::vector<WorkerSet> worker_sets = {};         // by name
  std::vector<User> users = {};                    // by uid; soperator is one of them
  std::map<std::string, std::uint32_t> uids = {};  // all ever assigned, also of removed users

  const kube::ObjectKey key() const { return resource.metadata.key(); }
  const api::SlurmClusterSpec& spec() const { return resource.spec; }
  bool has_accounting() const { return spec().slurmNodes.accounting.enabled; }
  bool has_own_database() const {
    return has_accounting() && !spec().slurmNodes.accounting.externalDB.enabled;
  }
};

// What is observed of the cluster's own objects and decides names and uids.
struct Recorded {
  std::optional<Naming> naming = {};  // status.naming; empty: not chosen yet
  bool short_names_taken = false;     // another cluster of the namespace has short names
  std::map<std::string, std::uint32_t> uids = {};  // from the key `uids` of the users ConfigMap
};

struct Settled {
  std::optional<Cluster> cluster;  // empty if there are errors
  api::Findings findings;          // of the cluster and of its NodeSets ("NodeSet a: spec...")
};

// Validates the resources and decides names, authentication, workers, users and images.
//
// Expects     the whole objects as the API server sends them; only NodeSets of this cluster.
// Guarantees  equal input gives an equal result, whatever the order of the NodeSets; a recorded
//             naming and recorded uids are kept; an invalid NodeSet does not hide the others: its
//             errors are findings and the cluster is absent.
// Does not    read a clock or do I/O.
Settled settle(const json::Value& cluster,
               std::span<const json::Value> node_sets,
               const Recorded& recorded,
               const Defaults& defaults);

// The placement of a component from the name of its node filter; all nodes if the name is empty.
// Control-plane nodes are excluded unless the filter tolerates their taint.
Placement placement_of(const api::SlurmClusterSpec& spec,
                       std::string_view filter,
                       std::string priority_class,
                       std::optional<bool> host_users);

// "name uid" lines, by name: the key `uids` of the users ConfigMap. Invalid lines are ignored.
std::map<std::string, std::uint32_t> read_uids(std::string_view text);
std::string write_uids(const std::map<std::string, std::uint32_t>& uids);

}  // namespace slurmop::settle
