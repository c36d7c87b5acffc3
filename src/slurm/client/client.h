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

// Calls to one slurmrestd.
//
// Expects     that loop, transport and tokens outlive it and every call.
// Guarantees  errors are Slurm's verdicts by number (error_number.h) and the transport's; not_found
//             only on Slurm's word. After any error of submit() but lost and cancelled there is no
//             job. A refused token is read again before the next call.
// Does not    retry, cache or poll: that is the Mirror's.
class Client {
 public:
  template <class T>
  using Answer = net::Task<base::Result<T>>;

  Client(net::Loop& loop,
         net::http::Transport& transport,
         TokenSource& tokens,
         ApiVersion version = kNewestApi);

  // Makes the job. One that Slurm made although it answered with errors is cancelled first; if even
  // that fails, the outcome is lost. After lost the job may still appear later: a slurmctld that
  // hung takes up what waits in its sockets when it wakes, long after we had our answer.
  Answer<JobId> submit(JobRequest request, base::Instant deadline);

  // The states of these jobs; those that Slurm does not know are absent. No ids, no call.
  // Expects at most kMostIdsPerCall ids.
  Answer<std::vector<JobStatus>> states(std::vector<JobId> ids, base::Instant deadline);
  // The states of all jobs that Slurm still remembers, anybody's.
  Answer<std::vector<JobStatus>> all_states(base::Instant deadline);

  Answer<Job> job(JobId id, base::Instant deadline);
  // Whose job it is, at the least cost.
  Answer<JobIdentity> identity(JobId id, base::Instant deadline);

  // Ends the job; fine if it has ended already. not_found: Slurm knows no such job.
  Answer<void> cancel(JobId id, base::Instant deadline);

  // Changes a job; may be repeated. Nothing to change is no call. not_found: Slurm knows no such
  // job; conflict: it has ended; refused: it runs, and this can be changed only before.
  Answer<void> update(JobId id, JobUpdate change, base::Instant deadline);

  Answer<NodeList> nodes(base::Instant deadline);
  // Empty if nothing changed since that list.
  Answer<std::optional<NodeList>> nodes_since(std::int64_t last_update, base::Instant deadline);

  // One node as it is now. What Slurm does not know is unavailable: only a list says who is not
  // there.
  Answer<Node> node(SlurmNodeName name, base::Instant deadline);

  // Each has the errors of node_changed(). A change may be repeated.
  Answer<void> change_node(SlurmNodeName name, NodeChange change, base::Instant deadline);
  Answer<void> create_node(NewNode node, base::Instant deadline);
  Answer<void> delete_node(SlurmNodeName name, base::Instant deadline);

  Answer<std::vector<Partition>> partitions(base::Instant deadline);
  // The accounts that a user may use, as accounting has them.
  Answer<std::vector<Association>> associations(std::string user, base::Instant deadline);

  // What accounting remembers of the jobs that had this id; an error where there is no accounting.
  Answer<std::vector<AccountedJob>> accounted(JobId id, base::Instant deadline);

  Answer<Ping> ping(base::Instant deadline);

  // Finds the newest version that the server serves, and speaks it from then on.
  Answer<ApiVersion> discover(base::Instant deadline);
  ApiVersion version() const { return version_; }
  // The version that another client of the same server has found.
  void set_version(ApiVersion version) { version_ = version; }

  // What the token that the next call would carry says of itself.
  base::Result<TokenClaims> token_claims();

 private:
  Answer<net::http::Response> call(net::http::Request request, base::Instant deadline);
  Answer<net::http::Response> get(std::string path, base::Instant deadline);
  // A POST that may be sent twice.
  Answer<net::http::Response> change(std::string path, std::string body, base::Instant deadline);
  std::string target(std::string_view path) const;
  // Puts what was being done in front of an error, and remembers that a token was refused.
  template <class T>
  base::Result<T> with_context(base::Result<T> outcome, std::string_view what);

  net::Loop& loop_;
  net::http::Transport& transport_;
  TokenSource& tokens_;
  ApiVersion version_;
};

// "/jobs/state/?job_id=1&job_id=2": slurmrestd refuses commas.
std::string states_path(std::span<const JobId> ids);

}  // namespace slurm::inline client
