// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/dynamic_object.h"
#include "kube/api/workloads.h"
#include "kube/cache/cache.h"
#include "kube/client/access.h"
#include "kube/runner/controller.h"
#include "kube/runner/runner.h"
#include "net/async/task_group.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace slurmop::process {

// Objects of one kind that the operator created, with their managedFields.
struct OwnedObjects {
  OwnedObjects(kube::Access access,
               std::vector<std::string> namespaces,
               kube::Resource resource,
               bool is_pruned);

  kube::Cache<kube::DynamicObject> cache;
  kube::Index<kube::DynamicObject>& by_cluster;  // by cluster_term()
  bool is_pruned;  // deleted when no longer desired; claims are not: they hold data
};

// The term of the indexes by cluster: "namespace/name".
std::string cluster_term(const kube::ObjectKey& cluster);

// Everything that the operator reads from the API server, kept current by watches.
//
// Expects     that it outlives every task that uses it; no iterator of a store is held across a
//             co_await.
// Guarantees  only objects with the operator's label are kept of pods and created kinds, and only the
//             metadata of Secrets. The kinds of the operator may be absent: their
//             CustomResourceDefinitions may be installed later.
class Stores {
 public:
  using Object = kube::DynamicObject;
  using ObjectPointer = kube::Store<Object>::Pointer;
  using Keys = std::vector<kube::ObjectKey>;

  // No namespaces: all.
  Stores(const kube::Access& access, const std::vector<std::string>& namespaces);

  kube::Cache<Object>& clusters() { return clusters_; }
  const kube::Cache<Object>& clusters() const { return clusters_; }
  kube::Cache<Object>& node_sets() { return node_sets_; }
  const kube::Cache<Object>& node_sets() const { return node_sets_; }
  kube::Cache<kube::ObservedPod>& pods() { return pods_; }
  const kube::Cache<kube::ObservedPod>& pods() const { return pods_; }
  const kube::Cache<kube::PartialObject>& secrets() const { return secrets_; }
  const std::vector<std::unique_ptr<OwnedObjects>>& owned() const { return owned_; }

  // The objects of a kind; nullptr if the operator creates no objects of that kind.
  OwnedObjects* owned(std::string_view api_version, std::string_view kind) const;
  // An object of a kind that the operator creates; nullptr if it does not exist.
  ObjectPointer find(const kube::Resource& resource, const kube::ObjectKey& key) const;

  // All clusters of a namespace.
  Keys clusters_in(const std::string& ns) const;
  // The cluster to which an object with the operator's labels belongs; none without the label.
  static Keys cluster_of(const kube::ObjectMeta& object);
  // The cluster that spec.clusterName names, or the only cluster of the namespace.
  Keys cluster_of_node_set(const Object& node_set) const;
  std::vector<ObjectPointer> node_sets_of(const kube::ObjectKey& cluster) const;
  std::vector<kube::Store<kube::ObservedPod>::Pointer> pods_of(
      const kube::ObjectKey& cluster) const;

  // Lets the controller run the key of a cluster after each change that concerns the cluster.
  void notify(kube::Controller<>& controller);
  void add_to(kube::Runner& runner);
  // Runs the caches without a Runner, in tests.
  void start(net::TaskGroup& tasks);
  bool synced() const;

 private:
  template <class Call>
  void each_cache(Call&& call);

  kube::Cache<Object> clusters_;
  kube::Cache<Object> node_sets_;
  kube::Cache<kube::ObservedPod> pods_;
  kube::Index<kube::ObservedPod>& pods_by_cluster_;
  kube::Cache<kube::PartialObject> secrets_;
  std::vector<std::unique_ptr<OwnedObjects>> owned_;
};

}  // namespace slurmop::process
