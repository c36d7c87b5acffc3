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

// Refusals of Slurm by request shape. All pods of a refused shape share one retry: one pod submits,
// and the other pods wait for the result. After each accepted job two more pods of the shape may
// submit. The number of submits doubles while Slurm accepts jobs, and stays small while it does
// not.
//
// Guarantees  a pod that is refused again keeps its position; no memory for shapes without pods.
// Does not    wake pods: the caller requeues the pods that taken() returns.
class RefusalCache {
 public:
  // Slurm refused the job of `who`. The next attempt for this shape is due at `until`.
  void refused(RequestShape shape,
               const kube::ObjectKey& who,
               base::Error error,
               base::Instant until);

  // The refusal of this shape. Empty if `who` may submit now: there is no refusal, taken() returned
  // `who`, or the next attempt is due. Only the first caller gets the attempt that is due; other
  // pods get the refusal until the result of the attempt is known.
  std::optional<base::Error> verdict(RequestShape shape,
                                     const kube::ObjectKey& who,
                                     base::Instant now);
  // The same without a change: does not assign the attempt to `who`.
  std::optional<base::Error> peek(RequestShape shape,
                                  const kube::ObjectKey& who,
                                  base::Instant now) const;
  // When the next attempt is due; empty without a refusal.
  std::optional<base::Instant> next_try(RequestShape shape) const;
  // An attempt ended without a decision of Slurm: the next attempt is due soon.
  void no_answer(RequestShape shape, base::Instant now);

  // Slurm accepted the job of `who`. Returns the pods that may submit next, in order of arrival.
  std::vector<kube::ObjectKey> taken(RequestShape shape, const kube::ObjectKey& who);
  // The pod has another request shape, or no longer exists.
  void forget(RequestShape shape, const kube::ObjectKey& who);

 private:
  struct Entry {
    base::Error error;
    base::Instant until;
    std::map<kube::ObjectKey, std::uint64_t> numbers;  // all pods of the shape, in order of arrival
    std::map<std::uint64_t, kube::ObjectKey> waiting;  // pods that may not submit now, by number
    std::set<kube::ObjectKey> may_ask;
  };

  void let_wait(Entry& entry, const kube::ObjectKey& who);
  static void drop(Entry& entry, const kube::ObjectKey& who);

  std::map<RequestShape, Entry> shapes_;
  std::uint64_t last_number_ = 0;
};

}  // namespace bridge::scheduling
