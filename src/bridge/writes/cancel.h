// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/async/loop.h"
#include "slurm/client/client.h"

#include <functional>
#include <string>
#include <string_view>

namespace bridge::writes {

// Whether the job, as just read, is the one to cancel.
using JobMatches = std::function<bool(const slurm::JobIdentity& job)>;

// Cancels a job after reading it from Slurm: after a crash of slurmctld the id may belong to
// another job, which is not cancelled.
//
// true        the job had not ended; Slurm accepted the cancel.
// false       the job has ended or does not exist, or does not match.
net::Task<base::Result<bool>> cancel_if(slurm::Client& slurm,
                                        slurm::JobId job,
                                        JobMatches matches,
                                        base::Instant deadline);

}  // namespace bridge::writes
