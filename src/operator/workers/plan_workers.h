// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "kube/api/ids.h"
#include "kube/api/workloads.h"
#include "operator/settle/cluster.h"
#include "operator/workers/slurm_view.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// Decides which worker pods to create and delete, and which Slurm nodes to drain, resume and remove.
namespace slurmop::workers {

// Steps in Slurm. Each may be repeated.
struct DrainNode {
  std::string node;
  std::string reason;  // begins with kReasonPrefix
  friend bool operator==(const DrainNode&, const DrainNode&) = default;
};
struct UndrainNode {
  std::string node;
  friend bool operator==(const UndrainNode&, const UndrainNode&) = default;
};
// Ends the jobs of a node whose pod is gone: without it they would stay RUNNING.
struct DownNode {
  std::string node;
  std::string reason;
  friend bool operator==(const DownNode&, const DownNode&) = default;
};
struct ResumeNode {
  std::string node;
  friend bool operator==(const ResumeNode&, const ResumeNode&) = default;
};
// Removes the record of a node whose pod is gone.
struct RemoveNode {
  std::string node;
  friend bool operator==(const RemoveNode&, const RemoveNode&) = default;
};
using SlurmStep = std::variant<DrainNode, UndrainNode, DownNode, ResumeNode, RemoveNode>;

// Steps on pods.
struct CreatePod {
  std::int64_t ordinal = 0;
  friend bool operator==(const CreatePod&, const CreatePod&) = default;
};
struct DeletePod {
  kube::ObjectKey pod;
  kube::Uid uid;                 // only this pod
  std::string resource_version;  // only this version
  std::string reason;            // for an Event: what Slurm stated
  friend bool operator==(const DeletePod&, const DeletePod&) = default;
};
using PodStep = std::variant<CreatePod, DeletePod>;

// Reasons that the operator gives to Slurm begin with this; reasons of others never do.
inline constexpr std::string_view kReasonPrefix = "slurm-operator: ";

struct WorkerFacts {
  const settle::WorkerSet& set;
  std::string template_hash;            // of pods that would be created now
  std::vector<kube::ObservedPod> pods;  // of this set, in any order
  const SlurmView& slurm;
  bool never_available = false;  // the cluster was never Available: no jobs can exist
  base::WallTime now;
};

struct WorkerPlan {
  std::vector<SlurmStep> slurm;  // executed before the pod steps, in this order
  std::vector<PodStep> pods;
  std::int64_t existing = 0;                       // pods that exist and are not being deleted
  std::int64_t ready = 0;                          // pods whose Slurm node accepts or runs jobs
  std::int64_t outdated = 0;                       // pods of an older template
  bool wants_jobs = false;                         // the next SlurmView should contain the jobs
  std::optional<std::chrono::seconds> again = {};  // decide again after this time at the latest
  std::vector<std::string> waits = {};  // for conditions: "worker-3 is drained and runs 2 jobs"
};

// Decides the next steps for one set of workers.
//
// Expects     pods and Slurm nodes read at about the same moment.
// Guarantees  equal facts give equal steps, whatever the order of the pods. While Slurm is unknown
//             there is no DeletePod of a running pod and no step in Slurm. A running pod is deleted
//             only if Slurm shows its node out of service (drained, or set down by others)
//             and without jobs, if Slurm does not know the node a minute after slurmd started, or if
//             drain_timeout has passed since our drain. Drains and DOWN states of others are never
//             undone. A step that the facts show as done is not repeated; steps converge: with
//             unchanged facts after their effect, the next plan is empty. At most one step per
//             worker.
// Does not    read a clock, do I/O or keep state between two calls.
WorkerPlan plan_workers(const WorkerFacts& facts);

}  // namespace slurmop::workers
