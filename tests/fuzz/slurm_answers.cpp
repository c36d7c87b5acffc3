// SPDX-License-Identifier: Apache-2.0
// All parsers of Slurm's answers, on every body: the first letter selects the status.
#include "fuzz/check.h"
#include "slurm/api/accounting_answer.h"
#include "slurm/api/answer.h"
#include "slurm/api/job_answer.h"
#include "slurm/api/node_answer.h"
#include "slurm/api/node_change.h"
#include "slurm/api/partition_answer.h"

#include <array>

namespace {

using base::Kind;
using fuzz::check;
using fuzz::check_message;
using net::http::Response;
using slurm::JobId;

constexpr std::array kStatuses = {
    200, 304, 400, 401, 403, 404, 408, 415, 422, 500, 502, 503, 504, 511, 100, 299};

// The id in the body, so that the parsers of one job find it.
JobId id_in(std::string_view body) {
  json::Parser parser;
  JobId found(1);
  const auto root = parser.parse(body);
  const auto jobs = root.ok() ? root->find("jobs") : std::nullopt;
  if (!jobs) return found;
  jobs->each_element([&](json::Node job) {
    const auto id = job.find("job_id");
    const auto number = id ? id->as_int() : std::nullopt;
    if (number && std::in_range<std::uint32_t>(*number)) {
      found = JobId(static_cast<std::uint32_t>(*number));
    }
    return false;
  });
  return found;
}

template <class T>
void check_error(const base::Result<T>& outcome, const Response& answer) {
  if (outcome.ok()) {
    check(answer.status == 200 || answer.status == 304, "only a success succeeds");
    return;
  }
  check_message(outcome.error());
  check(!outcome.error().is(Kind::not_found) || outcome.error().code() != 0,
        "not found only if Slurm states it");
}

void submit(const Response& answer) {
  const slurm::Submitted made = slurm::submitted(answer);
  if (!made.error) {
    check(made.id.has_value() && answer.status == 200, "success is a 200 with an id");
    return;
  }
  check_message(*made.error);
  if (made.id) check(made.id->value() > 0, "an id is one");
}

void cancel(const Response& answer) {
  const auto outcome = slurm::cancelled(answer);
  if (!outcome.ok()) check_message(outcome.error());
}

void jobs(const Response& answer) {
  const JobId id = id_in(answer.body);
  const auto states = slurm::job_states(answer);
  check_error(states, answer);
  const auto job = slurm::job(answer, id);
  check_error(job, answer);
  if (job.ok()) check(job->id == id, "the requested job");
  const auto identity = slurm::job_identity(answer, id);
  check_error(identity, answer);
  if (identity.ok()) check(identity->id == id, "the requested identity");
  if (job.ok() && identity.ok()) {
    check(job->admin_comment == identity->admin_comment && job->state == identity->state,
          "both readers read the same");
  }
}

void cluster(const Response& answer) {
  const auto nodes = slurm::nodes(answer);
  check_error(nodes, answer);
  if (nodes.ok()) check(nodes->has_value() == (answer.status == 200), "no list only on a 304");
  check_error(slurm::ping(answer), answer);
  check_error(slurm::partitions(answer), answer);
  check_error(slurm::associations(answer), answer);
  check_error(slurm::done(answer), answer);
  check_error(slurm::node_changed(answer), answer);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const int status = input.one_of(kStatuses);
  const Response answer(status, {}, std::string(input.rest()));
  submit(answer);
  cancel(answer);
  jobs(answer);
  cluster(answer);
  return 0;
}
