// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/client/access.h"
#include "kube/client/api.h"
#include "operator/plan/plan.h"
#include "operator/process/pass_outcome.h"
#include "operator/process/stores.h"

#include <vector>

namespace slurmop::process {

// Writes the status of a SlurmCluster and of its NodeSets, where it differs.
//
// Guarantees  an empty status is not written. The status of a later object of the same name is not changed. A resource that no longer
//             exists is not an error.
class StatusWriter {
 public:
  StatusWriter(const kube::Access& access, Stores& stores) : access_(access), stores_(stores) {}

  net::Task<base::Result<void>> write(ClusterRef cluster,
                                      const json::Object& status,
                                      const std::vector<plan::NodeSetStatusUpdate>& node_sets);

 private:
  net::Task<base::Result<void>> write_one(kube::Cache<kube::DynamicObject>& cache,
                                          kube::ObjectKey key,
                                          const json::Object& status);

  kube::Access access_;
  Stores& stores_;
};

}  // namespace slurmop::process
