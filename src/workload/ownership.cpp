// SPDX-License-Identifier: Apache-2.0
#include "workload/ownership.h"

#include "kube/api/describe.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

#include <algorithm>

namespace workload {
namespace {

using Annotations = std::map<std::string, std::string>;

constexpr std::size_t kHighest = 32;

// Kinds that affect the jobs of their pods. PodGroup and LeaderWorkerSet will be added here.
std::optional<RootKind> known_kind(const kube::OwnerReference& owner) {
  if (owner.apiVersion == "batch/v1" && owner.kind == "Job") return RootKind::job;
  if (owner.apiVersion.starts_with("jobset.x-k8s.io/") && owner.kind == "JobSet")
    return RootKind::job_set;
  return std::nullopt;
}

void lay_over(Annotations& under, const Annotations& over) {
  for (auto it = over.lower_bound(kJobAnnotationPrefix);
       it != over.end() && it->first.starts_with(kJobAnnotationPrefix);
       ++it) {
    under.insert_or_assign(it->first, it->second);
  }
}

struct OwnerSpec {
  std::optional<std::int64_t> activeDeadlineSeconds;
};
struct WireOwner {
  kube::ObjectMeta metadata;
};
struct WireJob {
  OwnerSpec spec;
};
BOOST_DESCRIBE_STRUCT(OwnerSpec, (), (activeDeadlineSeconds))
BOOST_DESCRIBE_STRUCT(WireOwner, (), (metadata))
BOOST_DESCRIBE_STRUCT(WireJob, (), (spec))

bool is_text(const json::Node& object, std::string_view key, std::string_view wanted) {
  const auto member = object.find(key);
  return member && member->as_string() == wanted;
}

}  // namespace

Annotations job_annotations(const kube::Pod& pod, const Ownership& owners) {
  Annotations merged;
  lay_over(merged, pod.metadata.annotations);
  lay_over(merged, owners.annotations);
  return merged;
}

std::optional<std::int64_t> time_limit_seconds(const kube::Pod& pod, const Ownership& owners) {
  std::optional<std::int64_t> shortest;
  for (const auto& seconds : {pod.spec.activeDeadlineSeconds, owners.activeDeadlineSeconds}) {
    if (seconds && *seconds > 0 && (!shortest || *seconds < *shortest)) shortest = seconds;
  }
  return shortest;
}

const kube::OwnerReference* controller_of(const kube::ObjectMeta& metadata) {
  const auto found =
      std::ranges::find_if(metadata.ownerReferences, &kube::OwnerReference::controller);
  return found == metadata.ownerReferences.end() ? nullptr : &*found;
}

OwnerWalk::OwnerWalk(const kube::Pod& pod) : ns_(pod.metadata.namespace_) {
  go_on(pod.metadata);
}

void OwnerWalk::go_on(const kube::ObjectMeta& from) {
  const kube::OwnerReference* owner = controller_of(from);
  next_.reset();
  if (owner != nullptr && seen_.size() < kHighest && seen_.insert(owner->uid).second)
    next_ = *owner;
}

void OwnerWalk::read(const Owner& owner) {
  const auto kind = known_kind(*next_);
  lay_over(annotations_, owner.metadata.annotations);
  if (kind == RootKind::job && !deadline_) deadline_ = owner.activeDeadlineSeconds;
  if (kind || best_.kind == RootKind::pod) {
    best_.kind = kind.value_or(RootKind::pod);
    best_.root = fmt::format("{} {}/{}", next_->kind, ns_, next_->name);
    best_.annotations = annotations_;
    best_.activeDeadlineSeconds = deadline_;
  }
  go_on(owner.metadata);
}

base::Result<void> OwnerWalk::failed(const base::Error& error) {
  const bool unreadable = error.is(base::Kind::forbidden) || error.is(base::Kind::invalid);
  if (known_kind(*next_) || !unreadable) {
    const std::string what =
        fmt::format("read {} {}/{}, which owns the pod", next_->kind, ns_, next_->name);
    if (!error.is(base::Kind::forbidden)) return base::Error(error).in(what);
    return base::Error(error.kind(),
                       fmt::format("{}; the bridge needs the right to get every {} of {}",
                                   error.message(),
                                   next_->kind,
                                   next_->apiVersion))
        .with_status(error.status())
        .in(what);
  }
  next_.reset();
  return {};
}

}  // namespace workload

namespace kube {

template <>
base::Result<workload::Owner> decode_object<workload::Owner>(const json::Node& object) {
  TRY(workload::WireOwner wire, json::decode<workload::WireOwner>(object));
  workload::Owner owner{std::move(wire.metadata), std::nullopt};
  // Only for a Job the meaning of this field is known.
  if (workload::is_text(object, "apiVersion", "batch/v1") &&
      workload::is_text(object, "kind", "Job")) {
    TRY(const workload::WireJob job, json::decode<workload::WireJob>(object));
    owner.activeDeadlineSeconds = job.spec.activeDeadlineSeconds;
  }
  return owner;
}

}  // namespace kube
