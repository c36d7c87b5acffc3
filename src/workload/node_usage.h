// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/amounts.h"
#include "kube/api/foreign_pod.h"
#include "kube/api/ids.h"
#include "kube/api/node.h"
#include "kube/api/pod.h"

#include <cstdint>
#include <map>
#include <optional>

namespace workload {

// The resources of a node, and what pods other than the given one use of them.
struct NodeRoom {
  kube::Amounts allocatable;
  kube::Amounts taken_by_others;
  std::int64_t pods_taken_by_others = 0;

  friend bool operator==(const NodeRoom&, const NodeRoom&) = default;
};

enum class Whose {
  ours,
  daemon_set,
  foreign,
  leaving,  // a foreign pod that is being deleted and will not be replaced there
};

// A pod that uses resources of a node.
struct Occupant {
  kube::NodeName node;
  kube::Amounts requests;
  Whose whose = Whose::foreign;

  friend bool operator==(const Occupant&, const Occupant&) = default;
};

// Empty for a pod that uses nothing: not bound yet, or ended.
std::optional<Occupant> occupant(const kube::ForeignPod& pod);
// A pod of ours. A pod whose requests cannot be added up was never submitted and uses nothing.
std::optional<Occupant> occupant(const kube::Pod& pod);

// The usage of nodes by the pods of a cluster, updated pod by pod.
//
// Guarantees  the same result as a count of all pods; the cost of a read does not depend on the
//             number of pods.
class NodeUsage {
 public:
  // The pod is new or changed; without an occupant it uses nothing (any more).
  void set(const kube::Uid& pod, std::optional<Occupant> occupant);
  void remove(const kube::Uid& pod) { set(pod, std::nullopt); }
  // The pod uses resources of a node.
  bool has(const kube::Uid& pod) const { return occupants_.contains(pod); }

  // With the usage of DaemonSet and foreign pods only, without those that are being deleted: what
  // remains in use however long we wait.
  NodeRoom without_ours(const kube::Node& node) const;
  // With the usage of all pods except this one, which may already be counted.
  NodeRoom now(const kube::Node& node, const kube::Uid& besides) const;
  // Increases with each change of the result of without_ours().
  std::uint64_t changes_without_ours() const { return changes_without_ours_; }

 private:
  struct Held {
    kube::Amounts amounts;
    std::int64_t pods = 0;
  };
  struct Load {
    Held all;
    Held staying;  // foreign, and not being deleted
  };

  static void count(Held& held, const Occupant& occupant, bool comes);
  void count(const Occupant& occupant, bool comes);

  std::map<kube::Uid, Occupant> occupants_;
  std::map<kube::NodeName, Load> loads_;  // only nodes with pods
  std::uint64_t changes_without_ours_ = 0;
};

}  // namespace workload
