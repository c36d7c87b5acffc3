// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/config_map.h"
#include "kube/api/namespace.h"
#include "kube/cache/cache.h"
#include "kube/client/api.h"
#include "kube/runner/controller.h"

#include <string>
#include <vector>

namespace example {

// The kind of crd.yaml.
kube::Resource config_map_copies();

// Keeps the copies that each ConfigMapCopy requests.
//
// Guarantees  a copy in the namespace of the object has the object as its owner, so that the
//             garbage collector deletes it; copies in other namespaces have a label with the uid of
//             the object, and a finalizer keeps the object until they are deleted. The condition
//             Ready shows the result. Nothing is written while nothing differs.
class Copier {
 public:
  explicit Copier(kube::Access access);

  kube::Cache<kube::DynamicObject>& copies() { return copies_; }
  kube::Cache<kube::ConfigMap>& sources() { return sources_; }
  kube::Cache<kube::Namespace>& namespaces() { return namespaces_; }
  kube::Cache<kube::DynamicObject>& made() { return made_; }
  kube::Controller<>& controller() { return controller_; }

 private:
  using Object = kube::DynamicObject;

  net::Task<base::Result<kube::Requeue>> reconcile(kube::ObjectKey key);
  net::Task<base::Result<void>> clean_up(const Object& copy);
  net::Task<base::Result<void>> make_copies(const Object& copy, const kube::ConfigMap& source);
  net::Task<base::Result<void>> set_ready(const Object& copy, kube::Condition ready);
  std::vector<kube::ObjectKey> all_copies() const;

  kube::Access access_;
  kube::Cache<Object> copies_;
  kube::Cache<kube::ConfigMap> sources_;
  kube::Cache<kube::Namespace> namespaces_;
  kube::Cache<Object> made_;  // the copies, with their managedFields
  kube::Index<Object>& made_by_;
  kube::Api<Object> copy_api_;
  kube::Api<Object> map_api_;
  kube::Controller<> controller_;
};

}  // namespace example
