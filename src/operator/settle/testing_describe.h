// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/duration.h"
#include "operator/settle/cluster.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

// For tests only: a cluster as text, one decision per line. Equal clusters have equal texts.
namespace slurmop::settle {

inline std::string describe(const Placement& placement) {
  return fmt::format("  affinity {}\n  selector {}\n  tolerations {}\n  priority {:?} users {}\n",
                     placement.affinity.dump(),
                     placement.node_selector,
                     json::Value(json::Array(placement.tolerations)).dump(),
                     placement.priority_class,
                     placement.host_users ? fmt::format("{}", *placement.host_users) : "-");
}

inline std::string describe(const kube::OwnerReference& owner) {
  return fmt::format("{} {} {} {}", owner.apiVersion, owner.kind, owner.name, owner.uid);
}

inline std::string describe(const api::NodeSetSpec& spec) {
  std::string text = fmt::format("  replicas {} port {} pull {}",
                                 spec.replicas,
                                 spec.slurmd.port,
                                 spec.slurmd.image.pullPolicy);
  for (const auto& [name, amount] : spec.slurmd.resources) {
    text += fmt::format(" {}={}", name, amount.to_string());
  }
  text += fmt::format("\n  options {:?}", spec.nodeConfig.static_);
  text += fmt::format("\n  shm {} spool {}\n",
                      spec.slurmd.volumes.sharedMemorySize.to_string(),
                      spec.slurmd.volumes.spool.dump());
  for (const api::NodeSetMount& mount : spec.slurmd.volumes.customVolumeMounts) {
    text += fmt::format("  mount {} at {} of {}{}\n",
                        mount.name,
                        mount.mountPath,
                        mount.volumeSource.dump(),
                        mount.volumeClaimTemplateSpec.dump());
  }
  return text;
}

inline std::string describe(const WorkerSet& set) {
  return fmt::format(
      "set {} ({}{}) pods {}\n  owner {} generation {}\n  image {} munge {}\n  drain timeout "
      "{}\n{}{}",
      set.name,
      set.component,
      set.is_node_set ? ", NodeSet" : "",
      set.pod_name(0),
      describe(set.owner),
      set.generation,
      set.image,
      set.munge_image,
      set.drain_timeout ? base::format_duration(*set.drain_timeout) : "-",
      describe(set.spec),
      describe(set.placement));
}

inline std::string describe(const Cluster& cluster) {
  std::string text = fmt::format("cluster {}\nowner {}\nnaming {} controller {} at {}\nauth {}\n",
                                 cluster.key().to_string(),
                                 describe(cluster.owner),
                                 to_string(cluster.names.naming()),
                                 cluster.names.controller_pod(),
                                 cluster.names.controller_domain(),
                                 cluster.auth == conf::AuthMode::munge ? "munge" : "slurm");
  for (const WorkerSet& set : cluster.worker_sets) text += describe(set);
  for (const User& user : cluster.users) {
    text += fmt::format("user {} {} {}\n", user.name, user.uid, user.public_keys);
  }
  for (const auto& [name, uid] : cluster.uids) text += fmt::format("uid {} {}\n", name, uid);
  return text;
}

}  // namespace slurmop::settle
