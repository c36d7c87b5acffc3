// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/http_wire/http.h"
#include "slurm/api/model.h"

#include <string>
#include <vector>

// Answers of slurmdbd's half of slurmrestd (/slurmdb/), read purely. A slurmrestd without
// accounting does not know that half at all.
namespace slurm::inline api {

// That a user may use an account; with a partition: only there.
struct Association {
  std::string user;
  std::string account;
  std::string cluster;
  std::string partition;
  bool is_default = false;

  friend bool operator==(const Association&, const Association&) = default;
};

// /associations/. Somebody without any is an empty list, also if there is no such user.
base::Result<std::vector<Association>> associations(const net::http::Response& answer);

// What accounting remembers of a job. It knows the admin_comment only of jobs that have ended.
struct AccountedJob {
  JobId id;
  JobState state = JobState::unknown;
  std::string admin_comment;

  friend bool operator==(const AccountedJob&, const AccountedJob&) = default;
};

// /job/ID. Ids are given again after a crash of slurmctld, so there may be several of one id.
base::Result<std::vector<AccountedJob>> accounted_jobs(const net::http::Response& answer);

}  // namespace slurm::inline api
