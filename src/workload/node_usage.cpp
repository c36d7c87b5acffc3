// SPDX-License-Identifier: Apache-2.0
#include "workload/node_usage.h"

#include "kube/api/pod_resources.h"

namespace workload {

std::optional<Occupant> occupant(const kube::ForeignPod& pod) {
  if (pod.ended || pod.node.value().empty()) return std::nullopt;
  Whose whose = pod.metadata.deleting ? Whose::leaving : Whose::foreign;
  if (pod.of_daemon_set) whose = Whose::daemon_set;  // another one replaces it
  return Occupant{pod.node, pod.requests, whose};
}

std::optional<Occupant> occupant(const kube::Pod& pod) {
  if (pod.ended() || !pod.bound()) return std::nullopt;
  const auto requests = kube::pod_requests(pod.spec);
  if (!requests.ok()) return std::nullopt;
  return Occupant{kube::NodeName(pod.spec.nodeName), *requests, Whose::ours};
}

void NodeUsage::set(const kube::Uid& pod, std::optional<Occupant> occupant) {
  const auto known = occupants_.find(pod);
  if (known != occupants_.end()) {
    if (known->second == occupant) return;
    count(known->second, false);
    if (!occupant) {
      occupants_.erase(known);
      return;
    }
    known->second = *std::move(occupant);
    count(known->second, true);
  } else if (occupant) {
    count(occupants_.emplace(pod, *std::move(occupant)).first->second, true);
  }
}

void NodeUsage::count(Held& held, const Occupant& occupant, bool comes) {
  if (comes) {
    held.amounts.add(occupant.requests);
    ++held.pods;
  } else {
    held.amounts.take_away(occupant.requests);
    --held.pods;
  }
}

void NodeUsage::count(const Occupant& occupant, bool comes) {
  Load& load = loads_[occupant.node];
  count(load.all, occupant, comes);
  if (occupant.whose == Whose::daemon_set || occupant.whose == Whose::foreign) {
    count(load.staying, occupant, comes);
    ++changes_without_ours_;
  }
  if (load.all.pods == 0) loads_.erase(occupant.node);
}

NodeRoom NodeUsage::without_ours(const kube::Node& node) const {
  NodeRoom room{node.status.allocatable, {}, 0};
  const auto load = loads_.find(node.name());
  if (load == loads_.end()) return room;
  room.taken_by_others = load->second.staying.amounts;
  room.pods_taken_by_others = load->second.staying.pods;
  return room;
}

NodeRoom NodeUsage::now(const kube::Node& node, const kube::Uid& besides) const {
  NodeRoom room{node.status.allocatable, {}, 0};
  const auto load = loads_.find(node.name());
  if (load == loads_.end()) return room;
  room.taken_by_others = load->second.all.amounts;
  room.pods_taken_by_others = load->second.all.pods;
  const auto own = occupants_.find(besides);
  if (own == occupants_.end() || own->second.node != node.name()) return room;
  room.taken_by_others.take_away(own->second.requests);
  --room.pods_taken_by_others;
  return room;
}

}  // namespace workload
