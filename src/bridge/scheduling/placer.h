// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/scheduling/decision.h"
#include "bridge/scheduling/explainer.h"
#include "bridge/scheduling/volumes.h"

#include <memory>
#include <optional>
#include <vector>

namespace bridge::scheduling {

// The steps of a pod from a job to a bound pod, or back: labels the pod with its job, binds it to the job's node, or
// takes the job off the pod.
//
// Expects     records that outlive the returned tasks.
// Guarantees  every write is conditional on the pod's uid and resourceVersion; a job is taken off the pod before it is
//             cancelled; a bind counts on its node from the moment it is sent.
class Placer {
 public:
  Placer(const runtime::RoleContext& context,
         state::ClusterState& cluster,
         Explainer& explainer,
         VolumeReader& volumes)
      : context_(context), cluster_(cluster), explainer_(explainer), volumes_(volumes) {}

  net::Task<kube::Again> label(std::shared_ptr<const kube::Pod> pod,
                               PodRecord& record,
                               slurm::JobId job);
  net::Task<kube::Again> bind(std::shared_ptr<const kube::Pod> pod, PodRecord& record, Bind step);
  net::Task<kube::Again> start_over(std::shared_ptr<const kube::Pod> pod,
                                    PodRecord& record,
                                    StartOver step);
  net::Task<kube::Again> release_and_resubmit(std::shared_ptr<const kube::Pod> pod,
                                              PodRecord& record,
                                              ReleaseAndResubmit step);

 private:
  void release_unlabelled_job(const kube::Pod& pod, PodRecord& record, slurm::JobId job);
  void remember_released(PodRecord& record, slurm::JobId job);
  // Empty when the pod can be bound to that node as far as its volumes are concerned.
  net::Task<std::optional<kube::Again>> volume_blocker(std::shared_ptr<const kube::Pod> pod,
                                                       PodRecord& record,
                                                       Bind step);
  bool node_still_suits(const kube::Pod& pod, const Bind& step);
  net::Task<base::Result<void>> release_volumes(std::shared_ptr<const kube::Pod> pod,
                                                std::vector<slurm::SlurmNodeName> nodes);

  const runtime::RoleContext& context_;
  state::ClusterState& cluster_;
  Explainer& explainer_;
  VolumeReader& volumes_;
};

}  // namespace bridge::scheduling
