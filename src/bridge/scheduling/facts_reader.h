// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/runtime/role_context.h"
#include "bridge/scheduling/decision.h"
#include "bridge/scheduling/explainer.h"
#include "bridge/scheduling/pod_record.h"
#include "bridge/scheduling/waiting_reasons.h"
#include "bridge/state/cluster_state.h"
#include "bridge/state/state_loss_detector.h"

namespace bridge::scheduling {

// Collects the facts of one moment about one pod for next_scheduling_step().
//
// Expects     a caller that uses the facts before its next suspension: the facts refer to `pod`,
//             `request`, `prepared` and the mirror.
// Does not    do I/O. Registers a pending job with WaitingReasons, which reads its reason later.
class FactsReader {
 public:
  FactsReader(const runtime::RoleContext& context,
              state::ClusterState& cluster,
              const state::StateLossDetector& losses,
              WaitingReasons& waiting,
              const Explainer& explainer)
      : context_(context),
        cluster_(cluster),
        losses_(losses),
        waiting_(waiting),
        explainer_(explainer) {}

  // Facts that an earlier step of the same run produced.
  struct Prepared {
    const slurm::JobRequest* request = nullptr;
    std::optional<VolumeReadiness> volumes;
    std::optional<kube::NodeName> volumes_on;  // the node that `volumes` is about
  };

  PodFacts of(const kube::Pod& pod,
              const PodRecord& record,
              const base::Result<slurm::JobRequest>& request,
              const Prepared& prepared) const;

 private:
  bool is_running(slurm::JobId job) const;
  void read_named_job(const kube::Pod& pod,
                      const PodRecord& record,
                      const base::Result<slurm::JobRequest>& request,
                      PodFacts& facts) const;
  // The shape of the request that would be submitted. A bound pod requires its own node.
  RequestShape request_shape_of(const kube::Pod& pod, slurm::JobRequest request) const;

  const runtime::RoleContext& context_;
  state::ClusterState& cluster_;
  const state::StateLossDetector& losses_;
  WaitingReasons& waiting_;
  const Explainer& explainer_;
};

}  // namespace bridge::scheduling
