// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/async/loop.h"
#include "slurm/client/client.h"

#include <functional>
#include <string>
#include <string_view>

namespace bridge::writes {

// Whether the job with this admin_comment is the one to cancel.
using CommentMatches = std::function<bool(std::string_view admin_comment)>;

// Cancels a job after reading its admin_comment from Slurm: after a crash of slurmctld the id may
// belong to another job, which is not cancelled.
//
// true        the job had not ended; Slurm accepted the cancel.
// false       the job has ended or does not exist, or its admin_comment does not match.
net::Task<base::Result<bool>> cancel_if(slurm::Client& slurm,
                                        slurm::JobId job,
                                        CommentMatches comment_matches,
                                        base::Instant deadline);

}  // namespace bridge::writes
