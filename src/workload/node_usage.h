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

// What a node has and what other pods than the one in question take of it.
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
  leaving,  // somebody else's that is being deleted and will not be replaced there
};

// A pod that holds something on a node.
struct Occupant {
  kube::NodeName node;
  kube::Amounts requests;
  Whose whose = Whose::foreign;

  friend bool operator==(const Occupant&, const Occupant&) = default;
};

// Empty for a pod that holds nothing: not bound yet, or ended.
std::optional<Occupant> occupant(const kube::ForeignPod& pod);
// A pod of ours. One whose requests cannot be added up was never submitted and holds nothing.
std::optional<Occupant> occupant(const kube::Pod& pod);

// What the pods of a cluster take of its nodes, kept up to date pod by pod.
//
// Guarantees  the same as counting all pods anew; reading costs nothing per pod.
class NodeUsage {
 public:
  // The pod is new or changed; without an occupant it holds nothing (any more).
  void set(const kube::Uid& pod, std::optional<Occupant> occupant);
  void remove(const kube::Uid& pod) { set(pod, std::nullopt); }
  // It holds something on a node.
  bool has(const kube::Uid& pod) const { return occupants_.contains(pod); }

  // Beside DaemonSet and foreign pods only, without those that leave: what will stay taken however
  // long we wait.
  NodeRoom without_ours(const kube::Node& node) const;
  // Beside all other pods than this one, which may be counted already.
  NodeRoom now(const kube::Node& node, const kube::Uid& besides) const;
  // Grows with each change of what without_ours() says.
  std::uint64_t changes_without_ours() const { return changes_without_ours_; }

 private:
  struct Held {
    kube::Amounts amounts;
    std::int64_t pods = 0;
  };
  struct Load {
    Held all;
    Held staying;  // that are not ours and do not leave
  };

  static void count(Held& held, const Occupant& occupant, bool comes);
  void count(const Occupant& occupant, bool comes);

  std::map<kube::Uid, Occupant> occupants_;
  std::map<kube::NodeName, Load> loads_;  // only nodes with pods
  std::uint64_t changes_without_ours_ = 0;
};

}  // namespace workload
