// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/job_answer.h"

#include "base/integer.h"
#include "base/quote.h"
#include "json/decode.h"
#include "slurm/api/answer.h"
#include "slurm/api/hostlist.h"
#include "slurm/api/job_node.h"

#include <algorithm>

namespace slurm::inline api {
namespace wire {

// Members have the names of Slurm's JSON.
struct State {
  std::string job_id;
  std::vector<std::string> state;
};
BOOST_DESCRIBE_STRUCT(State, (), (job_id, state))

struct States {
  std::vector<State> jobs;
};
BOOST_DESCRIBE_STRUCT(States, (), (jobs))

struct Number {
  bool set = false;
  bool infinite = false;
  std::int64_t number = 0;
};
BOOST_DESCRIBE_STRUCT(Number, (), (set, infinite, number))

struct Signal {
  std::string name;
};
BOOST_DESCRIBE_STRUCT(Signal, (), (name))

struct Exit {
  std::vector<std::string> status;
  Number return_code;
  Signal signal;
};
BOOST_DESCRIBE_STRUCT(Exit, (), (status, return_code, signal))

struct Identity {
  JobId job_id;
  std::vector<std::string> job_state;
  std::string admin_comment, name, nodes;
  Number submit_time;
};
BOOST_DESCRIBE_STRUCT(Identity, (), (job_id, job_state, admin_comment, name, nodes, submit_time))

struct RunningJob {
  JobId job_id;
  std::vector<std::string> job_state;
  std::string nodes;
  Number start_time, end_time;
};
BOOST_DESCRIBE_STRUCT(RunningJob, (), (job_id, job_state, nodes, start_time, end_time))

struct Job {
  JobId job_id;
  std::vector<std::string> job_state;
  std::string admin_comment;
  std::vector<std::string> flags;
  std::string name, partition, account, qos, user_name, nodes, comment;
  std::string required_nodes, excluded_nodes;
  std::string state_reason, state_description, failed_node;
  Number priority, submit_time, start_time, end_time, preempt_time;
  Exit exit_code, derived_exit_code;
};
BOOST_DESCRIBE_STRUCT(Job,
                      (),
                      (job_id,
                       job_state,
                       admin_comment,
                       flags,
                       name,
                       partition,
                       account,
                       qos,
                       user_name,
                       nodes,
                       comment,
                       required_nodes,
                       excluded_nodes,
                       state_reason,
                       state_description,
                       failed_node,
                       priority,
                       submit_time,
                       start_time,
                       end_time,
                       preempt_time,
                       exit_code,
                       derived_exit_code))

}  // namespace wire

namespace {

using base::Error;
using base::Kind;
using base::Result;

bool contains(const std::vector<std::string>& list, std::string_view value) {
  return std::ranges::find(list, value) != list.end();
}

// "12", "8+1" (component of a het job) or "7_0" (task of an array): the first number is the id of
// the record.
Result<JobStatus> status(const wire::State& line) {
  const std::string_view text = line.job_id;
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto id = base::parse_integer<std::uint32_t>(text.substr(0, end));
  if (!id.ok()) {
    return Error(Kind::protocol, "not a job id: " + base::quoted(text));
  }
  JobStatus found;
  found.id = JobId(*id);
  found.state = job_state(line.state);
  found.completing = contains(line.state, "COMPLETING");
  found.array_task = end < text.size() && text[end] == '_';
  return found;
}

// A time beyond the clock's range counts as absent.
std::optional<base::WallTime> time(const wire::Number& seconds) {
  constexpr auto kLast = std::chrono::floor<std::chrono::seconds>(base::WallTime::max());
  if (!seconds.set || seconds.infinite || seconds.number <= 0) return std::nullopt;
  if (seconds.number > kLast.time_since_epoch().count()) return std::nullopt;
  return base::WallTime(std::chrono::seconds(seconds.number));
}

ExitCode exit_code(wire::Exit&& wire) {
  return {std::move(wire.status),
          static_cast<std::uint32_t>(wire.return_code.set ? wire.return_code.number : 0),
          std::move(wire.signal.name)};
}

Result<std::vector<SlurmNodeName>> node_names(std::string_view hostlist) {
  TRY(std::vector<std::string> texts, slurm::expand_hostlist(hostlist));
  std::vector<SlurmNodeName> names;
  names.reserve(texts.size());
  for (std::string& text : texts) names.emplace_back(std::move(text));
  return names;
}

Result<Job> from_wire(wire::Job&& wire) {
  Job job;
  TRY(job.nodes, node_names(wire.nodes));
  auto required = node_names(wire.required_nodes);
  auto excluded = node_names(wire.excluded_nodes);
  // A malformed node list does not make the other members unreadable.
  job.node_lists_readable = required.ok() && excluded.ok();
  if (job.node_lists_readable) {
    job.required_nodes = *std::move(required);
    job.excluded_nodes = *std::move(excluded);
  }
  job.id = wire.job_id;
  job.state = job_state(wire.job_state);
  job.completing = contains(wire.job_state, "COMPLETING");
  job.configuring = contains(wire.job_state, "CONFIGURING");
  job.external = contains(wire.flags, "EXTERNAL_JOB");
  job.name = std::move(wire.name);
  job.partition = std::move(wire.partition);
  job.account = std::move(wire.account);
  job.qos = std::move(wire.qos);
  job.user = std::move(wire.user_name);
  job.admin_comment = std::move(wire.admin_comment);
  job.comment = std::move(wire.comment);
  job.state_reason = std::move(wire.state_reason);
  job.state_description = std::move(wire.state_description);
  job.failed_node = std::move(wire.failed_node);
  if (wire.priority.set && std::in_range<std::uint32_t>(wire.priority.number)) {
    job.priority = static_cast<std::uint32_t>(wire.priority.number);
  }
  job.submit_time = time(wire.submit_time);
  job.start_time = time(wire.start_time);
  job.end_time = time(wire.end_time);
  job.preempt_time = time(wire.preempt_time);
  job.exit_code = exit_code(std::move(wire.exit_code));
  job.derived_exit_code = exit_code(std::move(wire.derived_exit_code));
  return job;
}

}  // namespace

Result<json::Node> job_node(const net::http::Response& answer, JobId id, json::Parser& parser) {
  TRY(const json::Node root, read(answer, parser));
  std::optional<json::Node> found;
  if (const auto jobs = root.find("jobs")) {
    jobs->each_element([&](json::Node entry) {
      const auto own = entry.find("job_id");
      if (own && own->as_int() == id.value()) found = entry;
      return !found;
    });
  }
  if (!found) return Error(Kind::protocol, fmt::format("no job {} in the answer about it", id));
  return *found;
}

Result<std::vector<JobStatus>> job_states(const net::http::Response& answer) {
  json::Parser parser;
  TRY(const json::Node root, read(answer, parser));
  // An absent id means "unknown to Slurm", so the list itself must be present.
  if (!root.find("jobs")) return Error(Kind::protocol, "an answer without a list of jobs");
  TRY(const wire::States states, json::decode<wire::States>(root));
  std::vector<JobStatus> all;
  all.reserve(states.jobs.size());
  for (const wire::State& line : states.jobs) {
    TRY(const JobStatus one, status(line));
    all.push_back(one);
  }
  return all;
}

Result<Job> job(const net::http::Response& answer, JobId id) {
  json::Parser parser;
  TRY(const json::Node node, job_node(answer, id, parser));
  TRY(wire::Job wire, json::decode<wire::Job>(node));
  return from_wire(std::move(wire));
}

Result<JobIdentity> job_identity(const net::http::Response& answer, JobId id) {
  json::Parser parser;
  TRY(const json::Node found, job_node(answer, id, parser));
  TRY(wire::Identity wire, json::decode<wire::Identity>(found));
  JobIdentity identity;
  identity.id = wire.job_id;
  identity.state = job_state(wire.job_state);
  identity.admin_comment = std::move(wire.admin_comment);
  identity.name = std::move(wire.name);
  identity.submit_time = time(wire.submit_time);
  if (auto nodes = node_names(wire.nodes); nodes.ok()) identity.nodes = *std::move(nodes);
  return identity;
}

Result<std::optional<RunningJob>> running_job(const net::http::Response& answer, JobId id) {
  json::Parser parser;
  const Result<json::Node> found = job_node(answer, id, parser);
  if (!found.ok() && found.error().is(Kind::not_found)) return std::optional<RunningJob>();
  if (!found.ok()) return found.error();
  TRY(wire::RunningJob wire, json::decode<wire::RunningJob>(*found));
  const JobState state = job_state(wire.job_state);
  const bool occupies = state == JobState::running || state == JobState::suspended ||
                        contains(wire.job_state, "COMPLETING");
  const auto started = time(wire.start_time);
  if (!occupies || !started || wire.nodes.empty()) return std::optional<RunningJob>();
  RunningJob job{.id = wire.job_id, .nodes = {}, .started = *started, .ends = time(wire.end_time)};
  TRY(job.nodes, node_names(wire.nodes));
  return std::optional(std::move(job));
}

}  // namespace slurm::inline api
