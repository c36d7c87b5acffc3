// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "bridge/waiting_reasons.h"
#include "kube/ids.h"

#include <map>
#include <optional>
#include <set>

namespace bridge {

// What Slurm does not take, by kind of job: thousands of pods that ask for the same ask now and
// then together, and not each of them.
class RefusedKinds {
 public:
  // Slurm did not take the job that `who` asked for; worth another try only at `until`.
  void refused(JobKind kind, const kube::ObjectKey& who, base::Error error, base::Instant until);

  // The verdict on such a job, while it is too early to ask again. When it is not, the first one
  // gets none and asks for all; the others keep the verdict until they hear of it.
  std::optional<base::Error> verdict(JobKind kind, const kube::ObjectKey& who, base::Instant now);
  // When the next one may ask.
  std::optional<base::Instant> next_try(JobKind kind) const;

  // Slurm took such a job. Returns those who waited for that.
  std::set<kube::ObjectKey> taken(JobKind kind);
  // The pod asks for something else, or is gone.
  void forget(JobKind kind, const kube::ObjectKey& who);

 private:
  struct Entry {
    base::Error error;
    base::Instant until;
    std::set<kube::ObjectKey> who;
  };
  std::map<JobKind, Entry> kinds_;
};

}  // namespace bridge
