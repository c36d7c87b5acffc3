// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/async/loop.h"
#include "slurm/client/client.h"

#include <functional>
#include <string>
#include <string_view>

namespace bridge::writes {

// Whether a job is the one that is meant, by its admin_comment.
using CommentMatches = std::function<bool(std::string_view admin_comment)>;

// Cancels a job after asking Slurm itself, a moment before, whose it is: after a crash of slurmctld
// an id may stand for another job than the one that we knew, and somebody else's is never touched.
//
// true        it was live and is cancelled now.
// false       it has ended, or there is no such job, or the id is another job's.
net::Task<base::Result<bool>> cancel_if(slurm::Client& slurm,
                                        slurm::JobId job,
                                        CommentMatches comment_matches,
                                        base::Instant deadline);

}  // namespace bridge::writes
