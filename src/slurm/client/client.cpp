// SPDX-License-Identifier: Apache-2.0
#include "slurm/client/client.h"

#include "net/transport/url.h"
#include "slurm/api/answer.h"
#include "slurm/api/node_answer.h"
#include "slurm/api/partition_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ranges>

namespace slurm::inline client {
namespace {

using base::Error;
using base::Instant;
using base::Kind;
using base::Result;
using net::http::Response;

// Time to cancel a job that should not exist, independent of the submit's deadline.
constexpr auto kCleanUpTime = std::chrono::seconds(10);

// An incomplete answer: the request may have taken effect.
Error submit_error(Error error) {
  if (!error.is(Kind::protocol)) return error;
  return Error(Kind::lost, error.message()).with_status(error.status());
}

// One entry per requested id; Slurm answers with more for an array or a het job.
std::vector<JobStatus> asked_only(std::span<const JobId> asked, std::vector<JobStatus> answered) {
  std::ranges::sort(answered, {}, &JobStatus::id);
  const auto repeated = std::ranges::unique(answered, {}, &JobStatus::id);
  answered.erase(repeated.begin(), repeated.end());
  std::erase_if(answered, [&](const JobStatus& status) {
    return !std::ranges::binary_search(asked, status.id);
  });
  return answered;
}

bool may_occupy_nodes(const JobStatus& status) {
  return status.state == JobState::running || status.state == JobState::suspended ||
         status.completing;
}

std::string node_path(const SlurmNodeName& name) {
  return "/node/" + net::encode_path_segment(name.value());
}

}  // namespace

std::string states_path(std::span<const JobId> ids) {
  std::string path = "/jobs/state/";
  path.reserve(path.size() + 20 * ids.size());
  char separator = '?';
  for (const JobId id : ids) {
    path += separator;
    path += "job_id=";
    path += fmt::format_int(id.value()).c_str();
    separator = '&';
  }
  return path;
}

Client::Client(net::Loop& loop,
               net::http::Transport& transport,
               TokenSource& tokens,
               ApiVersion version)
    : loop_(loop), transport_(transport), tokens_(tokens), version_(version) {}

std::string Client::target(std::string_view path) const {
  return fmt::format("/slurm/{}{}", name(version_), path);
}

template <class T>
Result<T> Client::with_context(Result<T> outcome, std::string_view what) {
  if (outcome.ok()) return outcome;
  if (outcome.error().is(Kind::unauthorized)) tokens_.refused();
  return std::move(outcome).error().in(what);
}

// A request whose deadline has passed is not sent. Otherwise a process that was suspended between
// two calls would act on an outdated answer (cancel_if).
net::Task<Result<Response>> Client::call(net::http::Request request, Instant deadline) {
  if (loop_.now() >= deadline)
    co_return Error(Kind::unreachable, "no time is left for the call: nothing was sent");
  CO_TRY(const base::Secret token, tokens_.token());
  request.headers.emplace_back("X-SLURM-USER-TOKEN", std::string(token.reveal()));
  request.headers.emplace_back("Accept", "application/json");
  if (!request.body.empty()) request.headers.emplace_back("Content-Type", "application/json");
  co_return co_await transport_.send(std::move(request), deadline);
}

net::Task<Result<Response>> Client::get(std::string path, Instant deadline) {
  co_return co_await call(net::http::Request("GET", target(path)), deadline);
}

net::Task<Result<Response>> Client::change(std::string path, std::string body, Instant deadline) {
  net::http::Request request("POST", target(path), std::move(body));
  request.repeatable = true;
  co_return co_await call(std::move(request), deadline);
}

net::Task<Result<JobId>> Client::submit(JobRequest wanted, Instant deadline) {
  net::http::Request request("POST", target("/job/submit"), submit_body(wanted));
  request.repeatable = false;
  const Result<Response> answer = co_await call(std::move(request), deadline);
  if (!answer.ok()) co_return with_context<JobId>(submit_error(answer.error()), "submit to Slurm");

  const Submitted made = submitted(*answer);
  if (!made.error) co_return *made.id;
  if (made.id) {
    const Result<void> undone = co_await cancel(*made.id, loop_.in(kCleanUpTime));
    if (!undone.ok() && !undone.error().is(Kind::not_found)) {
      co_return Error(
          Kind::lost,
          fmt::format("submit to Slurm: job {} was created in spite of \"{}\" and could "
                      "not be cancelled: {}",
                      *made.id,
                      made.error->message(),
                      undone.error().message()));
    }
  }
  co_return with_context<JobId>(*made.error, "submit to Slurm");
}

net::Task<Result<std::vector<JobStatus>>> Client::states(std::vector<JobId> ids, Instant deadline) {
  std::ranges::sort(ids);
  const auto repeated = std::ranges::unique(ids);
  ids.erase(repeated.begin(), repeated.end());

  if (ids.empty()) co_return std::vector<JobStatus>();

  CO_TRY(const Response answer, co_await get(states_path(ids), deadline));
  CO_TRY(std::vector<JobStatus> answered, with_context(job_states(answer), "states of our jobs"));
  co_return asked_only(ids, std::move(answered));
}

net::Task<Result<std::vector<JobStatus>>> Client::all_states(Instant deadline) {
  CO_TRY(const Response answer, co_await get(states_path({}), deadline));
  co_return with_context(job_states(answer), "states of all jobs");
}

net::Task<Result<Job>> Client::job(JobId id, Instant deadline) {
  // flags=ALL omits the details, one JSON object per core.
  CO_TRY(const Response answer, co_await get(fmt::format("/job/{}?flags=ALL", id), deadline));
  co_return with_context(slurm::job(answer, id), fmt::format("job {}", id));
}

net::Task<Result<JobIdentity>> Client::identity(JobId id, Instant deadline) {
  CO_TRY(const Response answer, co_await get(fmt::format("/job/{}?flags=ALL", id), deadline));
  co_return with_context(job_identity(answer, id), fmt::format("job {}", id));
}

net::Task<Result<std::vector<RunningJob>>> Client::running_jobs(Instant deadline) {
  CO_TRY(const std::vector<JobStatus> states, co_await all_states(deadline));
  std::vector<JobId> ids;
  for (const JobStatus& status : states) {
    if (may_occupy_nodes(status)) ids.push_back(status.id);
  }
  std::ranges::sort(ids);
  const auto repeated = std::ranges::unique(ids);
  ids.erase(repeated.begin(), repeated.end());

  std::vector<RunningJob> running;
  for (const JobId id : ids) {
    CO_TRY(const Response answer, co_await get(fmt::format("/job/{}?flags=ALL", id), deadline));
    CO_TRY(std::optional<RunningJob> job,
           with_context(running_job(answer, id), fmt::format("job {}", id)));
    if (job) running.push_back(std::move(*job));
  }
  co_return running;
}

net::Task<Result<void>> Client::cancel(JobId id, Instant deadline) {
  net::http::Request request("DELETE", target(fmt::format("/job/{}", id)));
  CO_TRY(const Response answer, co_await call(std::move(request), deadline));
  co_return with_context(cancelled(answer), fmt::format("cancel job {}", id));
}

net::Task<Result<void>> Client::update(JobId id, JobUpdate wanted, Instant deadline) {
  if (wanted == JobUpdate()) co_return Result<void>();
  CO_TRY(const Response answer,
         co_await change(fmt::format("/job/{}", id), job_update_body(wanted), deadline));
  co_return with_context(done(answer), fmt::format("update job {}", id));
}

net::Task<Result<NodeList>> Client::nodes(Instant deadline) {
  CO_TRY(const Response answer, co_await get("/nodes/", deadline));
  CO_TRY(std::optional<NodeList> list, with_context(slurm::nodes(answer), "Slurm's nodes"));
  if (!list) co_return Error(Kind::protocol, "Slurm's nodes: not modified, but no time was given");
  co_return std::move(*list);
}

net::Task<Result<std::optional<NodeList>>> Client::nodes_since(std::int64_t last_update,
                                                               Instant deadline) {
  CO_TRY(const Response answer,
         co_await get(fmt::format("/nodes/?update_time={}", last_update), deadline));
  CO_TRY(auto list, with_context(slurm::nodes(answer), "Slurm's nodes"));
  // A request for the whole list cannot be answered "not modified".
  if (!list && last_update == 0) co_return Error(Kind::protocol, "Slurm's nodes: not modified");
  co_return list;
}

net::Task<Result<Node>> Client::node(SlurmNodeName name, Instant deadline) {
  const std::string what = fmt::format("node {}", name);
  CO_TRY(const Response answer, co_await get(node_path(name), deadline));
  CO_TRY(std::optional<NodeList> list, with_context(slurm::nodes(answer), what));
  if (!list || list->nodes.size() != 1 || list->nodes.front().name != name)
    co_return Error(Kind::protocol, what + ": the answer is not about this node");
  co_return std::move(list->nodes.front());
}

net::Task<Result<void>> Client::change_node(SlurmNodeName name,
                                            NodeChange wanted,
                                            Instant deadline) {
  CO_TRY(std::string body, node_change_body(wanted));
  CO_TRY(const Response answer, co_await change(node_path(name), std::move(body), deadline));
  co_return with_context(node_changed(answer), fmt::format("update node {}", name));
}

net::Task<Result<void>> Client::create_node(NewNode node, Instant deadline) {
  const std::string what = fmt::format("create node {}", node.name);
  if (version_ == ApiVersion::v0_0_43) {
    co_return Error(Kind::refused, what + ": this slurmrestd is too old (Slurm 25.11 is needed)");
  }
  CO_TRY(std::string body, new_node_body(node));
  net::http::Request request("POST", target("/new/node/"), std::move(body));
  CO_TRY(const Response answer, co_await call(std::move(request), deadline));
  co_return with_context(node_changed(answer), what);
}

net::Task<Result<void>> Client::delete_node(SlurmNodeName name, Instant deadline) {
  net::http::Request request("DELETE", target(node_path(name)));
  CO_TRY(const Response answer, co_await call(std::move(request), deadline));
  co_return with_context(node_changed(answer), fmt::format("delete node {}", name));
}

net::Task<Result<std::vector<Partition>>> Client::partitions(Instant deadline) {
  CO_TRY(const Response answer, co_await get("/partitions/", deadline));
  co_return with_context(slurm::partitions(answer), "Slurm's partitions");
}

net::Task<Result<std::vector<Association>>> Client::associations(std::string user,
                                                                 Instant deadline) {
  net::http::Request request(
      "GET",
      fmt::format(
          "/slurmdb/{}/associations/?user={}", name(version_), net::encode_query_value(user)));
  CO_TRY(const Response answer, co_await call(std::move(request), deadline));
  co_return with_context(slurm::associations(answer), fmt::format("associations of {}", user));
}

net::Task<Result<std::vector<AccountedJob>>> Client::accounted(JobId id, Instant deadline) {
  net::http::Request request("GET", fmt::format("/slurmdb/{}/job/{}", name(version_), id));
  CO_TRY(const Response answer, co_await call(std::move(request), deadline));
  co_return with_context(accounted_jobs(answer), fmt::format("job {} in accounting", id));
}

net::Task<Result<Ping>> Client::ping(Instant deadline) {
  CO_TRY(const Response answer, co_await get("/ping/", deadline));
  co_return with_context(slurm::ping(answer), fmt::format("ping Slurm ({})", name(version_)));
}

net::Task<Result<void>> Client::reconfigure(Instant deadline) {
  CO_TRY(const Response answer, co_await get("/reconfigure/", deadline));
  co_return with_context(done(answer), "reconfigure Slurm");
}

net::Task<Result<ApiVersion>> Client::discover(Instant deadline) {
  const ApiVersion before = version_;
  std::string last_error;
  for (const ApiVersionEntry& entry : std::views::reverse(kApiVersions)) {
    version_ = entry.version;
    const Result<Ping> pong = co_await ping(deadline);
    if (pong.ok()) co_return entry.version;
    version_ = before;
    if (pong.error().status() != 404) co_return pong.error();
    last_error = pong.error().message();
  }
  co_return Error(
      Kind::refused,
      fmt::format("this slurmrestd serves none of the API versions {} to {} that support external "
                  "jobs: Slurm {} or newer is needed ({}). If the address is a proxy's, check that "
                  "it forwards /slurm/",
                  kApiVersions.front().name,
                  kApiVersions.back().name,
                  kApiVersions.front().release,
                  last_error));
}

Result<TokenClaims> Client::token_claims() {
  TRY(const base::Secret token, tokens_.token());
  return claims(token);
}

}  // namespace slurm::inline client
