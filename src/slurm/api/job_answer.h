// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/http_wire/http.h"
#include "slurm/api/model.h"

#include <string>
#include <vector>

// Answers about jobs, read purely. Each is Slurm's error, or the error of answer.h, where there is
// no such statement.
namespace slurm::inline api {

// /jobs/state/. Ids that Slurm does not know are simply absent. More may be present than was asked
// for: the other components of a het job, the tasks of an array.
base::Result<std::vector<JobStatus>> job_states(const net::http::Response& answer);

// /job/ID. not_found only on Slurm's word that there is no such job.
base::Result<Job> job(const net::http::Response& answer, JobId id);

// /job/ID, only what says whose job it is and where it runs, in one breath; readable where the rest
// may not be.
struct JobIdentity {
  JobId id;
  JobState state = JobState::unknown;
  std::string admin_comment = {};
  std::string name = {};
  std::vector<SlurmNodeName> nodes = {};
  std::optional<base::WallTime> submit_time = {};
};
base::Result<JobIdentity> job_identity(const net::http::Response& answer, JobId id);

}  // namespace slurm::inline api
