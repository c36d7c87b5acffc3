// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/accounting_answer.h"

#include "json/decode.h"
#include "slurm/api/answer.h"

namespace slurm::inline api {

BOOST_DESCRIBE_STRUCT(Association, (), (user, account, cluster, partition, is_default))

namespace wire {

struct Associations {
  std::vector<Association> associations;
};
BOOST_DESCRIBE_STRUCT(Associations, (), (associations))

// Members have the names of Slurm's JSON.
struct Comments {
  std::string administrator;
};
BOOST_DESCRIBE_STRUCT(Comments, (), (administrator))

struct AccountedState {
  std::vector<std::string> current;
};
BOOST_DESCRIBE_STRUCT(AccountedState, (), (current))

struct AccountedJob {
  JobId job_id;
  AccountedState state;
  Comments comment;
};
BOOST_DESCRIBE_STRUCT(AccountedJob, (), (job_id, state, comment))

struct AccountedJobs {
  std::vector<AccountedJob> jobs;
};
BOOST_DESCRIBE_STRUCT(AccountedJobs, (), (jobs))

}  // namespace wire

base::Result<std::vector<Association>> associations(const net::http::Response& answer) {
  json::Parser parser;
  TRY(const json::Node root, read(answer, parser));
  if (!root.find("associations")) {
    return base::Error(base::Kind::protocol, "an answer without a list of associations");
  }
  TRY(wire::Associations wire, json::decode<wire::Associations>(root));
  return std::move(wire.associations);
}

base::Result<std::vector<AccountedJob>> accounted_jobs(const net::http::Response& answer) {
  json::Parser parser;
  TRY(const json::Node root, read(answer, parser));
  if (!root.find("jobs"))
    return base::Error(base::Kind::protocol, "an answer without a list of jobs");
  TRY(const wire::AccountedJobs wire, json::decode<wire::AccountedJobs>(root));
  std::vector<AccountedJob> jobs;
  for (const wire::AccountedJob& job : wire.jobs)
    jobs.push_back({job.job_id, job_state(job.state.current), job.comment.administrator});
  return jobs;
}

}  // namespace slurm::inline api
