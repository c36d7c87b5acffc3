// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/async/loop.h"
#include "net/async/task.h"
#include "net/http_wire/http.h"
#include "slurm/api/accounting_answer.h"
#include "slurm/api/job_answer.h"
#include "slurm/api/job_request.h"
#include "slurm/api/job_update.h"
#include "slurm/api/model.h"
#include "slurm/api/node_change.h"
#include "slurm/client/api_version.h"
#include "slurm/client/ids_per_call.h"
#include "slurm/client/jwt.h"
#include "slurm/client/token.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slurm::inline client {

// Client of one slurmrestd.
//
// Expects     loop, transport and tokens outlive the client and every call.
// Guarantees  errors are Slurm's verdicts by number (error_number.h) and the errors of the
//             transport; not_found only if Slurm states it. After an error of submit() other than
//             lost and cancelled, no job exists. After a rejected token, the next call reads the
//             token again.
// Does not    retry, cache or poll: the Mirror does.
class Client {
 public:
  template <class T>
  using Answer = net::Task<base::Result<T>>;

  Client(net::Loop& loop,
         net::http::Transport& transport,
         TokenSource& tokens,
         ApiVersion version = kNewestApi);

  // Creates the job. If Slurm created it although it answered with errors, it is cancelled first;
  // if that fails, the outcome is lost. After lost the job may appear later: a slurmctld that hung
  // processes the requests in its sockets when it resumes, long after the call ended.
  Answer<JobId> submit(JobRequest request, base::Instant deadline);

  // The states of these jobs; jobs that Slurm does not know are absent. Without ids nothing is
  // sent.
  // Expects     at most kMostIdsPerCall ids.
  Answer<std::vector<JobStatus>> states(std::vector<JobId> ids, base::Instant deadline);
  // The states of all jobs that Slurm remembers, of all users.
  Answer<std::vector<JobStatus>> all_states(base::Instant deadline);

  Answer<Job> job(JobId id, base::Instant deadline);
  // The identity of a job; reads as little as possible.
  Answer<JobIdentity> identity(JobId id, base::Instant deadline);

  // The jobs that occupy nodes, of all users, by id: those that did when the call began, except
  // those that ended meanwhile. One call for all states, then one call per running job: /jobs/ is
  // one call, but costs slurmrestd about 1 MB of memory per job, also per pending and ended job,
  // which it never releases.
  Answer<std::vector<RunningJob>> running_jobs(base::Instant deadline);

  // Ends the job; success if it has already ended. not_found: Slurm does not know the job.
  Answer<void> cancel(JobId id, base::Instant deadline);

  // Changes a job; may be repeated. An empty change sends nothing. not_found: Slurm does not know
  // the job; conflict: the job has ended; refused: only a pending job can be changed in this way.
  Answer<void> update(JobId id, JobUpdate change, base::Instant deadline);

  Answer<NodeList> nodes(base::Instant deadline);
  // Empty if nothing changed since that list.
  Answer<std::optional<NodeList>> nodes_since(std::int64_t last_update, base::Instant deadline);

  // One node as it is now. A node that Slurm does not know is `unavailable`: only a node list
  // proves that a node does not exist.
  Answer<Node> node(SlurmNodeName name, base::Instant deadline);

  // Each returns the errors of node_changed(). A change may be repeated.
  Answer<void> change_node(SlurmNodeName name, NodeChange change, base::Instant deadline);
  Answer<void> create_node(NewNode node, base::Instant deadline);
  Answer<void> delete_node(SlurmNodeName name, base::Instant deadline);

  Answer<std::vector<Partition>> partitions(base::Instant deadline);
  // The accounts that a user may use, as recorded in accounting.
  Answer<std::vector<Association>> associations(std::string user, base::Instant deadline);

  // The accounting records of the jobs that had this id; an error if Slurm has no accounting.
  Answer<std::vector<AccountedJob>> accounted(JobId id, base::Instant deadline);

  Answer<Ping> ping(base::Instant deadline);

  // Makes slurmctld and all slurmds read their configuration again; may be repeated. Success only
  // means that slurmctld received the request: with an invalid slurm.conf it ends afterwards.
  Answer<void> reconfigure(base::Instant deadline);

  // Finds the newest version that the server serves and uses it for all later calls.
  Answer<ApiVersion> discover(base::Instant deadline);
  ApiVersion version() const { return version_; }
  // Sets the version that another client of the same server discovered.
  void set_version(ApiVersion version) { version_ = version; }

  // The claims of the token that the next call would use.
  base::Result<TokenClaims> token_claims();

 private:
  Answer<net::http::Response> call(net::http::Request request, base::Instant deadline);
  Answer<net::http::Response> get(std::string path, base::Instant deadline);
  // A POST that may be sent twice.
  Answer<net::http::Response> change(std::string path, std::string body, base::Instant deadline);
  std::string target(std::string_view path) const;
  // Adds the failed operation to an error, and notes that a token was rejected.
  template <class T>
  base::Result<T> with_context(base::Result<T> outcome, std::string_view what);

  net::Loop& loop_;
  net::http::Transport& transport_;
  TokenSource& tokens_;
  ApiVersion version_;
};

// "/jobs/state/?job_id=1&job_id=2": slurmrestd does not accept a comma-separated list.
std::string states_path(std::span<const JobId> ids);

}  // namespace slurm::inline client
