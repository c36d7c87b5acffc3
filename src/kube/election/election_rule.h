// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "json/value.h"
#include "kube/api/lease.h"

#include <chrono>
#include <optional>
#include <string>

// Who may hold a Lease, without I/O: the rule that every Kubernetes component follows, so that ours
// and others exclude each other on the same Lease.
namespace kube::inline election {

// How long a holder's word counts, how long it tries to renew before it gives up by itself, and
// how long it waits between two tries. The defaults are Kubernetes' own.
struct ElectionTimes {
  std::chrono::seconds lease{15};
  base::Duration renew_deadline = std::chrono::seconds(10);
  base::Duration retry = std::chrono::seconds(2);
};

// Kind::invalid unless lease > renew_deadline > 1.2 * retry > 0: else two could lead at once, or
// one lost answer would end a leadership.
base::Result<void> check(const ElectionTimes& times);

// The Lease as we last read it, and since when we know it in this form.
class ObservedLease {
 public:
  // `at` is when the answer had arrived. A record that says the same as before keeps its time:
  // only a change is a sign of life, whatever times are written in it. Another object of the same
  // name is a change.
  void saw(Lease lease, base::Instant at);
  // The server said that there is none.
  void saw_none() { lease_.reset(); }

  const std::optional<Lease>& lease() const { return lease_; }
  base::Instant since() const { return since_; }
  // Who holds it, empty if nobody does.
  std::string holder() const { return lease_ ? lease_->spec.holderIdentity : std::string(); }

 private:
  std::optional<Lease> lease_;
  base::Instant since_{};
};

enum class ElectionStep {
  create,  // there is no Lease
  renew,   // it is ours
  take,    // nobody holds it, or its holder gave no sign of life for as long as it had promised to
  wait,    // somebody else holds it
};

// What the candidate `identity` does next. Times written in the Lease play no part.
ElectionStep next_step(const ObservedLease& observed,
                       const std::string& identity,
                       base::Instant now,
                       std::chrono::seconds our_lease);

// Who writes and when, for the bodies below.
struct Candidate {
  std::string identity;
  std::chrono::seconds lease;
  base::WallTime wall;
};

// Body of POST.
json::Object new_lease(const ObjectKey& key, const Candidate& candidate);
// Merge patches that apply to exactly the version that was read. Renewing keeps acquireTime and
// leaseTransitions; releasing leaves a record that anybody may take at once.
json::Object take_patch(const Lease& lease, const Candidate& candidate);
json::Object renew_patch(const Lease& lease, const Candidate& candidate);
json::Object release_patch(const Lease& lease, const Candidate& candidate);

}  // namespace kube::inline election
