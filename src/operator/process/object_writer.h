// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/client/access.h"
#include "kube/client/api.h"
#include "operator/process/pass_outcome.h"
#include "operator/process/stores.h"

#include <set>
#include <vector>

namespace slurmop::process {

// Makes the objects of a cluster equal to the desired ones.
//
// Expects     stores and API server outlive it and every call.
// Guarantees  an object is written only if an apply would change it. An object that the server
//             rejects is a failure in the outcome and does not keep the others from being written;
//             any other error ends the call. Objects that the operator did not create for this very
//             cluster are neither changed nor deleted.
// Does not    delete and create objects again whose change the server rejects.
class ObjectWriter {
 public:
  ObjectWriter(const kube::Access& access, Stores& stores) : access_(access), stores_(stores) {}

  net::Task<base::Result<void>> apply(ClusterRef cluster,
                                      const std::vector<json::Object>& desired,
                                      PassOutcome& outcome);

  // Deletes objects of the cluster that are not desired, of the kinds that are pruned.
  net::Task<base::Result<void>> prune(ClusterRef cluster,
                                      const std::vector<json::Object>& desired,
                                      PassOutcome& outcome);

 private:
  // The cluster and its NodeSets.
  std::set<kube::Uid> owners(const ClusterRef& cluster) const;
  net::Task<base::Result<void>> apply_one(const ClusterRef& cluster, const json::Object& desired);
  net::Task<base::Result<void>> remove(OwnedObjects& objects, kube::ObjectMeta unwanted);

  kube::Access access_;
  Stores& stores_;
};

// Whether the object was created for this cluster: by its labels, and by its controller if it has one,
// which is one of `owners`. The error states whose it is and what to do.
base::Result<void> check_owner(const kube::DynamicObject& live,
                               const ClusterRef& cluster,
                               const std::set<kube::Uid>& owners);

// Adds what an administrator can do if the server rejected a change of this object as invalid: some
// kinds have fields that cannot be changed.
base::Error with_remedy(base::Error error, const kube::DynamicObject& live);

}  // namespace slurmop::process
