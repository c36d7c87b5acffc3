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

// What kind of workload a pod belongs to. Each of these gets one Slurm job per pod.
//
// Groups, which share one job among their pods (PodGroup of either API, LeaderWorkerSet), will be
// further kinds here: until then their pods are their own workloads.
enum class RootKind { pod, job, job_set };

// What a pod's owners have to say about its job.
//
// It is the same for all pods with one controller. The pod's own word is added by job_annotations()
// and time_limit_seconds().
struct Ownership {
  RootKind kind = RootKind::pod;
  std::string root;  // for people: "Job a/train"; empty if the pod stands for itself
  // Only those that are about the job. Where several owners say something, the highest wins.
  std::map<std::string, std::string> annotations;
  std::optional<std::int64_t> activeDeadlineSeconds;  // of its Job

  friend bool operator==(const Ownership&, const Ownership&) = default;
};

// As much of an owner as concerns the jobs of its pods.
struct Owner {
  kube::ObjectMeta metadata;
  std::optional<std::int64_t> activeDeadlineSeconds;  // of a Job
};
base::Result<Owner> decode_owner(const json::Node& object);

// The annotations that count for the pod's job: the pod's own, and those of its owners over them.
std::map<std::string, std::string> job_annotations(const kube::Pod& pod, const Ownership& owners);

// The shorter of the pod's and its Job's activeDeadlineSeconds, if either has one.
std::optional<std::int64_t> time_limit_seconds(const kube::Pod& pod, const Ownership& owners);

// The owner that manages an object; null if there is none.
const kube::OwnerReference* controller_of(const kube::ObjectMeta& metadata);

// The way from a pod up its controllers, one owner at a time: whoever walks asks next(), reads that
// owner and says what came of it, until there is no next().
//
// Guarantees  ends after 32 owners and never reads one twice; the highest owner of a kind that we
//             know (Job, JobSet) is the root, and what is above it has nothing to say; without one
//             the topmost owner that could be read is.
class OwnerWalk {
 public:
  explicit OwnerWalk(const kube::Pod& pod);

  // Whom to read next; empty: the walk is over.
  const std::optional<kube::OwnerReference>& next() const { return next_; }
  void read(const Owner& owner);
  // It could not be read. Ends the walk where the owner's kind has no say anyway; else the error is
  // for the caller, who may try again later.
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
