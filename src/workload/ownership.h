// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/api/pod.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace workload {

// The kind of workload of a pod. Each of these gets one Slurm job per pod.
//
// Groups, which share one job among their pods (PodGroup of either API, LeaderWorkerSet), will be
// further kinds; until then each of their pods is a workload of its own.
enum class RootKind { pod, job, job_set };

// The influence of a pod's owners on its job. It is the same for all pods with one controller.
// job_annotations() and time_limit_seconds() add the pod's own values.
struct Ownership {
  RootKind kind = RootKind::pod;
  std::string root;  // for messages: "Job a/train"; empty if the pod is its own root
  // Only those about the job. If several owners have one, the highest owner wins.
  std::map<std::string, std::string> annotations;
  std::optional<std::int64_t> activeDeadlineSeconds;  // of its Job

  friend bool operator==(const Ownership&, const Ownership&) = default;
};

// The members of an owner that affect the jobs of its pods.
struct Owner {
  kube::ObjectMeta metadata;
  std::optional<std::int64_t> activeDeadlineSeconds;  // of a Job
};

// The annotations for the pod's job: those of the pod, overridden by those of its owners.
std::map<std::string, std::string> job_annotations(const kube::Pod& pod, const Ownership& owners);

// The shorter activeDeadlineSeconds of the pod and its Job, if any.
std::optional<std::int64_t> time_limit_seconds(const kube::Pod& pod, const Ownership& owners);

// The owner that manages an object; null if there is none.
const kube::OwnerReference* controller_of(const kube::ObjectMeta& metadata);

// The path from a pod up its controllers, one owner at a time: the caller asks for next(), reads
// that owner and passes the result in, until next() is empty.
//
// Guarantees  ends after 32 owners and never reads one twice; the highest owner of a known kind
//             (Job, JobSet) is the root, and owners above it have no effect; without a known kind,
//             the topmost readable owner is the root.
class OwnerWalk {
 public:
  explicit OwnerWalk(const kube::Pod& pod);

  // The owner to read next; empty: the walk is complete.
  const std::optional<kube::OwnerReference>& next() const { return next_; }
  void read(const Owner& owner);
  // The owner could not be read. Ends the walk if owners of this kind have no effect; otherwise the
  // caller gets the error and may retry.
  base::Result<void> failed(const base::Error& error);

  const Ownership& result() const { return best_; }

 private:
  void go_on(const kube::ObjectMeta& from);

  std::string ns_;
  std::optional<kube::OwnerReference> next_;
  std::set<kube::Uid> seen_;
  std::map<std::string, std::string> annotations_;  // of all owners so far
  std::optional<std::int64_t> deadline_;
  Ownership best_;
};

}  // namespace workload

namespace kube {
template <>
base::Result<workload::Owner> decode_object<workload::Owner>(const json::Node& object);
}  // namespace kube
