// SPDX-License-Identifier: Apache-2.0
#include "bridge/writes/cancel.h"

namespace bridge::writes {

using base::Kind;
using base::Result;

net::Task<Result<bool>> cancel_if(slurm::Client& slurm,
                                  slurm::JobId job,
                                  JobMatches matches,
                                  base::Instant deadline) {
  const auto identity = co_await slurm.identity(job, deadline);
  if (!identity.ok()) {
    if (identity.error().is(Kind::not_found)) co_return false;
    co_return identity.error();
  }
  if (slurm::is_over(identity->state) || !matches(*identity)) co_return false;
  const auto cancelled = co_await slurm.cancel(job, deadline);
  if (cancelled.ok()) co_return true;
  if (cancelled.error().is(Kind::not_found)) co_return false;
  co_return cancelled.error();
}

}  // namespace bridge::writes
