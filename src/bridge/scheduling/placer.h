// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/scheduling/decision.h"
#include "bridge/scheduling/explainer.h"
#include "bridge/scheduling/volumes.h"

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace bridge::scheduling {

// Executes the steps of a pod that has a job: labels the pod with the job, binds the pod to the
// job's node, or removes the job from the pod.
//
// Expects     records that outlive the returned tasks.
// Guarantees  every write to the pod is conditional on its uid and resourceVersion; the label is
//             removed before the job is cancelled; a pod is counted on its node as soon as the bind
//             request is sent.
class Placer {
 public:
  Placer(const runtime::RoleContext& context,
         state::ClusterState& cluster,
         Explainer& explainer,
         VolumeReader& volumes)
      : context_(context), cluster_(cluster), explainer_(explainer), volumes_(volumes) {}

  net::Task<kube::Requeue> label(std::shared_ptr<const kube::Pod> pod,
                                 PodRecord& record,
                                 slurm::JobId job);
  // Requests the volumes of the pod on the node. Requeue: the step failed, or Kubernetes no longer
  // has the node.
  net::Task<std::variant<VolumeReadiness, kube::Requeue>> prepare_volumes(
      std::shared_ptr<const kube::Pod> pod, PodRecord& record, PrepareVolumes step);
  net::Task<kube::Requeue> bind(std::shared_ptr<const kube::Pod> pod, PodRecord& record, Bind step);
  net::Task<kube::Requeue> start_over(std::shared_ptr<const kube::Pod> pod,
                                      PodRecord& record,
                                      StartOver step);
  net::Task<kube::Requeue> release_unlabelled(std::shared_ptr<const kube::Pod> pod,
                                              PodRecord& record,
                                              ReleaseUnlabelled step);
  net::Task<kube::Requeue> release_and_resubmit(std::shared_ptr<const kube::Pod> pod,
                                                PodRecord& record,
                                                ReleaseAndResubmit step);

 private:
  void remember_released(PodRecord& record, slurm::JobId job);
  // Empty: not read yet.
  std::optional<base::WallTime> submit_time_of(slurm::JobId job) const;
  net::Task<base::Result<void>> release_volumes(std::shared_ptr<const kube::Pod> pod,
                                                std::vector<slurm::SlurmNodeName> nodes);

  const runtime::RoleContext& context_;
  state::ClusterState& cluster_;
  Explainer& explainer_;
  VolumeReader& volumes_;
};

}  // namespace bridge::scheduling
