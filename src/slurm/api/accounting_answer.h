// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/http_wire/http.h"
#include "slurm/api/model.h"

#include <string>
#include <vector>

// Parsers for the answers of /slurmdb/, the accounting part of slurmrestd. Pure. A slurmrestd
// without accounting does not serve these paths.
namespace slurm::inline api {

// Permission of a user to use an account. With a partition: only in that partition.
struct Association {
  std::string user;
  std::string account;
  std::string cluster;
  std::string partition;
  bool is_default = false;

  friend bool operator==(const Association&, const Association&) = default;
};

// /associations/. Empty for a user without associations and for an unknown user.
base::Result<std::vector<Association>> associations(const net::http::Response& answer);

// A job as recorded by accounting. The admin_comment is recorded only when the job ends.
struct AccountedJob {
  JobId id;
  JobState state = JobState::unknown;
  std::string admin_comment;

  friend bool operator==(const AccountedJob&, const AccountedJob&) = default;
};

// /job/ID. A slurmctld that crashed may issue an id again, so one id can have several records.
base::Result<std::vector<AccountedJob>> accounted_jobs(const net::http::Response& answer);

}  // namespace slurm::inline api
