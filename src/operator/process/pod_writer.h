// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/workloads.h"
#include "kube/cache/expectations.h"
#include "kube/client/access.h"
#include "kube/client/api.h"
#include "operator/plan/plan.h"
#include "operator/process/pass_outcome.h"
#include "operator/process/slurm_steps.h"
#include "operator/process/stores.h"

#include <string>
#include <vector>

namespace slurmop::process {

// What became of the pod steps of a plan.
struct PodReport {
  std::vector<std::string> created;
  std::vector<workers::DeletePod> deleted;
  bool is_complete = true;  // false: the rest follows in a later pass
};

// Creates and deletes the pods of a plan.
//
// Expects     construction before the stores are filled; stores and API server outlive it.
// Guarantees  no step while the store does not show all pods that were created for the cluster; at
//             most kMostCreates creates in one call, so that other clusters get their turn. An
//             existing pod of the same name is not an error: the next plan sees it. Its claims are created
//             before it; existing ones are kept. A pod is deleted
//             only if it has the uid and the version that the plan saw and its Slurm node is
//             unchanged.
class PodWriter {
 public:
  static constexpr std::size_t kMostCreates = 100;

  PodWriter(const kube::Access& access, Stores& stores);

  // `nodes` is nullptr if the plan knew nothing of Slurm.
  net::Task<base::Result<PodReport>> execute(ClusterRef cluster,
                                             const std::vector<plan::PodAction>& actions,
                                             const NodesBeforeSteps* nodes,
                                             PassOutcome& outcome);

 private:
  net::Task<base::Result<void>> create(const ClusterRef& cluster,
                                       const plan::CreateWorker& worker,
                                       PodReport& report);
  net::Task<base::Result<void>> create_claims(const std::vector<json::Object>& claims);
  net::Task<base::Result<void>> remove(const workers::DeletePod& step,
                                       const NodesBeforeSteps* nodes,
                                       PodReport& report);

  Stores& stores_;
  kube::Api<kube::ObservedPod> api_;
  kube::Api<kube::PartialObject> claims_;
  kube::Expectations<kube::ObservedPod> expected_;
};

// Whether a pod runs slurmd, so that a Slurm node has its name.
bool is_worker(const kube::ObjectMeta& pod);

}  // namespace slurmop::process
