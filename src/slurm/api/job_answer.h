// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/http_wire/http.h"
#include "slurm/api/model.h"

#include <string>
#include <vector>

// Parsers for answers about jobs. Pure. Without the requested data, each returns Slurm's error or
// the error of answer.h.
namespace slurm::inline api {

// /jobs/state/. Ids that Slurm does not know are absent. The answer may contain more ids than
// requested: the other components of a het job, the tasks of an array.
base::Result<std::vector<JobStatus>> job_states(const net::http::Response& answer);

// /job/ID. not_found only if Slurm states that the job does not exist.
base::Result<Job> job(const net::http::Response& answer, JobId id);

// /job/ID, only the members for identity and placement. Readable even if other members are
// malformed.
struct JobIdentity {
  JobId id;
  JobState state = JobState::unknown;
  std::string admin_comment = {};
  std::string name = {};
  std::vector<SlurmNodeName> nodes = {};
  std::optional<base::WallTime> submit_time = {};
};
base::Result<JobIdentity> job_identity(const net::http::Response& answer, JobId id);

// A job that occupies nodes: it runs, is suspended, or is completing.
struct RunningJob {
  JobId id;
  std::vector<SlurmNodeName> nodes;
  base::WallTime started;
  std::optional<base::WallTime> ends = {};  // by its time limit; empty: unlimited

  friend bool operator==(const RunningJob&, const RunningJob&) = default;
};
// /job/ID. Empty if the job occupies no nodes now, also if Slurm no longer knows it.
base::Result<std::optional<RunningJob>> running_job(const net::http::Response& answer, JobId id);

}  // namespace slurm::inline api
