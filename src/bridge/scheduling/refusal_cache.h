// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "bridge/scheduling/request_shape.h"
#include "kube/api/ids.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace bridge::scheduling {

// What Slurm does not take, by kind of job: thousands of pods that ask for the same ask now and
// then together, and not each of them. When Slurm takes a job of theirs the others follow, two for
// each that it takes: as fast as it takes them all, and without asking for all where it takes few.
class RefusalCache {
 public:
  // Slurm did not take the job that `who` asked for; worth another try only at `until`.
  void refused(RequestShape kind,
               const kube::ObjectKey& who,
               base::Error error,
               base::Instant until);

  // The verdict on such a job, while it is too early for `who` to ask again. When it is not, the
  // first one gets none and asks for all; the others keep the verdict until they hear of it.
  std::optional<base::Error> verdict(RequestShape kind,
                                     const kube::ObjectKey& who,
                                     base::Instant now);
  // The same, but nobody gets to ask.
  std::optional<base::Error> peek(RequestShape kind,
                                  const kube::ObjectKey& who,
                                  base::Instant now) const;
  // When the next one may ask.
  std::optional<base::Instant> next_try(RequestShape kind) const;
  // Who asked got no verdict: another one may ask soon.
  void no_answer(RequestShape kind, base::Instant now);

  // Slurm took the job of `who`. Returns those who may ask next, the first who came first.
  std::vector<kube::ObjectKey> taken(RequestShape kind, const kube::ObjectKey& who);
  // The pod asks for something else, or is gone.
  void forget(RequestShape kind, const kube::ObjectKey& who);

 private:
  struct Entry {
    base::Error error;
    base::Instant until;
    std::map<kube::ObjectKey, std::uint64_t> numbers;  // of all, as they came
    std::map<std::uint64_t, kube::ObjectKey> waiting;  // of those who do not ask now
    std::set<kube::ObjectKey> may_ask;
  };

  void let_wait(Entry& entry, const kube::ObjectKey& who);
  static void drop(Entry& entry, const kube::ObjectKey& who);

  std::map<RequestShape, Entry> kinds_;
  std::uint64_t last_number_ = 0;
};

}  // namespace bridge::scheduling
