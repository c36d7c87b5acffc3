// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: pods and job views for the tests of bridge/scheduling and others.
#include "kube/api/pod.h"
#include "slurm/mirror/job_views.h"
#include "workload/identity.h"
#include "workload/wellknown.h"

#include <string>
#include <utility>

namespace bridge::testing {

inline const workload::BridgeIdentity kBridge{"cluster-1", "slurm-bridge-scheduler"};

struct PodBuilder {
  kube::Pod pod;

  PodBuilder() {
    pod.metadata.name = "train-0";
    pod.metadata.namespace_ = "a";
    pod.metadata.uid = kube::Uid("u-1");
    pod.metadata.resourceVersion = "7";
    pod.spec.schedulerName = kBridge.scheduler;
    pod.status.phase = "Pending";
  }
  PodBuilder&& job(std::uint32_t id) && {
    pod.metadata.labels[workload::kJobIdLabel] = std::to_string(id);
    pod.metadata.finalizers.push_back(workload::kFinalizer);
    return std::move(*this);
  }
  PodBuilder&& on(std::string node) && {
    pod.spec.nodeName = std::move(node);
    pod.status.phase = "Running";
    return std::move(*this);
  }
  PodBuilder&& phase(std::string phase) && {
    pod.status.phase = std::move(phase);
    return std::move(*this);
  }
  PodBuilder&& deleting() && {
    pod.metadata.deletionTimestamp = "2026-11-15T12:00:00Z";
    return std::move(*this);
  }
  operator kube::Pod() && { return std::move(pod); }  // NOLINT: implicit by design
};

inline PodBuilder a_pod() {
  return {};
}

inline slurm::JobView known(slurm::JobState state, std::vector<std::string> nodes = {}) {
  slurm::JobView view;
  view.knowledge = slurm::JobView::Knowledge::known;
  view.state = state;
  for (std::string& node : nodes) view.nodes.emplace_back(std::move(node));
  return view;
}

// A job that was unknown to Slurm in this many polls within this time.
inline slurm::JobView unknown(std::uint32_t times, base::Duration in = std::chrono::seconds(1)) {
  slurm::JobView view;
  view.knowledge = slurm::JobView::Knowledge::unknown_to_slurm;
  view.times_unknown = times;
  view.unknown_since = base::Instant{};
  view.as_of = view.unknown_since + in;
  return view;
}

}  // namespace bridge::testing
