// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "json/value.h"
#include "kube/api/lease.h"

#include <chrono>
#include <optional>
#include <string>

// Who may hold a Lease, without I/O: the rule that every Kubernetes component follows, so that our
// processes and others exclude each other on the same Lease.
namespace kube::inline election {

// How long a renewal is valid, how long a holder tries to renew before it gives up, and the
// interval between two attempts. The defaults are those of Kubernetes.
struct ElectionTimes {
  std::chrono::seconds lease{15};
  base::Duration renew_deadline = std::chrono::seconds(10);
  base::Duration retry = std::chrono::seconds(2);
};

// Kind::invalid unless lease > renew_deadline > 1.2 * retry > 0: otherwise two processes could lead
// at once, or one lost answer would end leadership.
base::Result<void> check(const ElectionTimes& times);

// The Lease as last read, and since when it is known in this form.
class ObservedLease {
 public:
  // `at` is when the answer arrived. An unchanged record keeps its time: only a change proves that
  // the holder is alive, independent of the times in the record. Another object of the same name is
  // a change.
  void saw(Lease lease, base::Instant at);
  // The Lease does not exist.
  void saw_none() { lease_.reset(); }

  const std::optional<Lease>& lease() const { return lease_; }
  base::Instant since() const { return since_; }
  // The holder, empty if there is none.
  std::string holder() const { return lease_ ? lease_->spec.holderIdentity : std::string(); }

 private:
  std::optional<Lease> lease_;
  base::Instant since_{};
};

enum class ElectionStep {
  create,  // the Lease does not exist
  renew,   // this process holds it
  take,    // it has no holder, or its holder did not renew it for its duration
  wait,    // another process holds it
};

// Returns the next step of the candidate `identity`. The times in the Lease are not used.
ElectionStep next_step(const ObservedLease& observed,
                       const std::string& identity,
                       base::Instant now,
                       std::chrono::seconds our_lease);

// Writer and time, for the bodies below.
struct Candidate {
  std::string identity;
  std::chrono::seconds lease;
  base::WallTime wall;
};

// Body of POST.
json::Object new_lease(const ObjectKey& key, const Candidate& candidate);
// Merge patches that apply to exactly the version that was read. Renewing keeps acquireTime and
// leaseTransitions; releasing leaves a record that any candidate may take at once.
json::Object take_patch(const Lease& lease, const Candidate& candidate);
json::Object renew_patch(const Lease& lease, const Candidate& candidate);
json::Object release_patch(const Lease& lease, const Candidate& candidate);

}  // namespace kube::inline election
