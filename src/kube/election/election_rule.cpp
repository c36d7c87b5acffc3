// SPDX-License-Identifier: Apache-2.0
#include "kube/election/election_rule.h"

#include "base/rfc3339.h"

#include <limits>
#include <utility>

namespace kube::inline election {
namespace {

constexpr std::string_view kApiVersion = "coordination.k8s.io/v1";

json::Object patch_of(const Lease& lease, json::Object spec) {
  return {{"metadata",
           json::Object{{"uid", lease.metadata.uid.value()},
                        {"resourceVersion", lease.metadata.resourceVersion}}},
          {"spec", std::move(spec)}};
}

int one_more(std::int32_t transitions) {
  if (transitions < 0 || transitions == std::numeric_limits<std::int32_t>::max()) return 0;
  return transitions + 1;
}

json::Object held_since_now(const Candidate& candidate, int transitions) {
  const std::string now = base::format_rfc3339_micro(candidate.wall);
  return {{"holderIdentity", candidate.identity},
          {"leaseDurationSeconds", candidate.lease.count()},
          {"acquireTime", now},
          {"renewTime", now},
          {"leaseTransitions", transitions}};
}

}  // namespace

base::Result<void> check(const ElectionTimes& times) {
  if (times.retry <= base::Duration::zero())
    return base::Error(base::Kind::invalid, "leader election: the retry period must be positive");
  if (times.renew_deadline <= times.retry + times.retry / 5) {
    return base::Error(
        base::Kind::invalid,
        "leader election: the renew deadline must exceed the retry period by more than a fifth");
  }
  if (times.lease <= times.renew_deadline) {
    return base::Error(
        base::Kind::invalid,
        "leader election: the lease duration must be longer than the renew deadline");
  }
  return {};
}

void ObservedLease::saw(Lease lease, base::Instant at) {
  const bool same =
      lease_ && lease_->metadata.uid == lease.metadata.uid && lease_->spec == lease.spec;
  if (!same) since_ = at;
  lease_ = std::move(lease);
}

ElectionStep next_step(const ObservedLease& observed,
                       const std::string& identity,
                       base::Instant now,
                       std::chrono::seconds our_lease) {
  if (!observed.lease()) return ElectionStep::create;
  const LeaseSpec& record = observed.lease()->spec;
  if (record.holderIdentity.empty()) return ElectionStep::take;
  if (record.holderIdentity == identity) return ElectionStep::renew;
  const std::chrono::seconds promised(record.leaseDurationSeconds);
  const auto valid_for = promised > std::chrono::seconds::zero() ? promised : our_lease;
  return now - observed.since() < valid_for ? ElectionStep::wait : ElectionStep::take;
}

json::Object new_lease(const ObjectKey& key, const Candidate& candidate) {
  return {{"apiVersion", kApiVersion},
          {"kind", "Lease"},
          {"metadata", json::Object{{"name", key.name}, {"namespace", key.ns}}},
          {"spec", held_since_now(candidate, 0)}};
}

json::Object take_patch(const Lease& lease, const Candidate& candidate) {
  return patch_of(lease, held_since_now(candidate, one_more(lease.spec.leaseTransitions)));
}

json::Object renew_patch(const Lease& lease, const Candidate& candidate) {
  return patch_of(lease,
                  {{"holderIdentity", candidate.identity},
                   {"leaseDurationSeconds", candidate.lease.count()},
                   {"renewTime", base::format_rfc3339_micro(candidate.wall)}});
}

json::Object release_patch(const Lease& lease, const Candidate& candidate) {
  const std::string now = base::format_rfc3339_micro(candidate.wall);
  return patch_of(lease,
                  {{"holderIdentity", ""},
                   {"leaseDurationSeconds", 1},
                   {"acquireTime", now},
                   {"renewTime", now}});
}

}  // namespace kube::inline election
