// SPDX-License-Identifier: Apache-2.0
#include "base/integer.h"
#include "models/slurm/api_versions.h"
#include "models/slurm/call.h"
#include "models/slurm/cluster.h"
#include "models/slurm/constants.h"
#include "models/slurm/error.h"
#include "models/slurm/job_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace models::slurm {
namespace {

using net::http::Request;
using net::http::Response;

constexpr std::string_view kNoSuchUrl =
    "Unable to find requested URL endpoint. Please query the '/openapi/v3' endpoint or visit "
    "'https://slurm.schedmd.com/rest_api.html' for the OpenAPI specification which includes a list "
    "of all possible slurmrestd endpoints.";

Response plain(int status, std::string_view text) {
  return {status, {{"Content-Type", "text/plain"}, {"Connection", "Close"}}, std::string(text)};
}

bool has_token(const Request& request) {
  return request.header("X-SLURM-USER-TOKEN") || request.header("Authorization");
}

SlurmComplaints complaint(SlurmError error) {
  SlurmComplaints all;
  all.errors.push_back(std::move(error));
  return all;
}

SlurmError unreadable(std::string_view what, std::string_view handler) {
  return {fmt::format("Rejecting request. Failure parsing {}", what), 9000, std::string(handler)};
}

std::string job_list_end(std::int64_t updated) {
  std::string text;
  SlurmText out(text);
  out.zero("last_backfill");
  out.set("last_update", updated);
  return text + ",";
}

void write_cancel_problem(SlurmText& out, std::string_view id, int number, bool known) {
  out.begin_object();
  out.begin_object("error");
  out.text("string", words_of(number));
  out.number("code", number);
  out.text("message", words_of(number));
  out.end_object();
  out.text("step_id", id);
  if (known) {
    out.set("job_id", read_job_id(id).value_or(0));
  } else {
    out.unset("job_id");
  }
  out.raw("federation", R"({"sibling":""})");
  out.end_object();
}

}  // namespace

Response SlurmCluster::handle(const Request& request) {
  if (!has_token(request)) return plain(401, "Authentication failure");
  const auto call = read_call(request);
  if (!call || std::ranges::count(options_.api_versions, call->version) == 0) {
    return plain(404, kNoSuchUrl);
  }
  if (!request.body.empty()) {
    const auto type = request.header("Content-Type");
    if (!type) return plain(500, "Unspecified error");
    if (!type->starts_with("application/json")) {
      return plain(415, "MIME type is unknown to any loaded plugins");
    }
  }
  if (call->raw_comma) return plain(500, "Unspecified error");
  return dispatch(*call);
}

Response SlurmCluster::dispatch(const SlurmCall& call) {
  const bool newer = call.version >= kApi44;
  if (call.is("GET", "jobs/state")) return job_states(call);
  if (call.is("POST", "job/submit")) return submit_job(call);
  if (call.is("GET", "job/*")) return get_job(call);
  if (newer && call.is("GET", "resources/*")) return get_resources(call);
  if (call.is("DELETE", "job/*")) return cancel_job(call);
  if (call.is("POST", "job/*")) return update_job(call);
  if (call.is("GET", "jobs")) return list_jobs(call);
  if (call.is("GET", "nodes")) return list_nodes(call);
  if (call.is("POST", "nodes")) return update_nodes(call, {});
  if (call.is("GET", "node/*")) return get_node(call);
  if (call.is("POST", "node/*")) return update_nodes(call, {std::string(call.path[1])});
  if (call.is("DELETE", "node/*")) return delete_node(call);
  if (newer && call.is("POST", "new/node")) return create_nodes(call);
  if (call.is("GET", "partitions")) return list_partitions(call);
  if (call.is("GET", "ping")) return ping(call);
  return plain(404, kNoSuchUrl);
}

Response SlurmCluster::answer(const SlurmCall& call,
                              int status,
                              std::string_view payload,
                              const SlurmComplaints& complaints) const {
  std::string body;
  body.reserve(payload.size() + 700);
  body += '{';
  body += payload;
  body += meta_of(call.version);
  SlurmText out(body);
  write_errors(out, complaints.errors);
  write_warnings(out, complaints.warnings);
  body += '}';
  Response response(status, {{"Content-Type", "application/json"}}, std::move(body));
  if (status >= 300) response.headers.emplace_back("Connection", "Close");
  return response;
}

// The same in every answer to a version.
const std::string& SlurmCluster::meta_of(std::string_view version) const {
  if (const auto known = meta_.find(version); known != meta_.end()) return known->second;
  std::string text = fmt::format(
      R"("meta":{{"plugin":{{"type":"openapi/slurmctld","name":"Slurm OpenAPI slurmctld",)"
      R"("data_parser":"data_parser/{}","accounting_storage":"accounting_storage/slurmdbd"}},)"
      R"m("client":{{"source":"127.0.0.1:6820(fd:9)","user":"root","group":"root"}},"command":[],)m"
      R"("slurm":{{"version":{{"major":"26","micro":"5","minor":"05"}},"release":"{}",)"
      R"("cluster":"{}"}}}},)",
      version,
      options_.release,
      options_.cluster_name);
  return meta_.emplace(version, std::move(text)).first->second;
}

Response SlurmCluster::ping(const SlurmCall& call) const {
  if (call.version >= kApi45) {
    return answer(call,
                  200,
                  R"("pings":[{"hostname":"ctl","responding":true,"latency":500,"primary":true,)"
                  R"("status":"No error"}],)");
  }
  return answer(call,
                200,
                R"("pings":[{"hostname":"ctl","pinged":"UP","responding":true,"latency":500,)"
                R"("mode":"primary","primary":true}],)");
}

Response SlurmCluster::job_states(const SlurmCall& call) const {
  SlurmComplaints complaints;
  std::string payload;
  payload.reserve(64 * call.query.size() + 64);
  SlurmText out(payload);
  out.begin_array("jobs");
  const auto write = [&](const SlurmJob& job) {
    out.begin_object();
    out.text("job_id", fmt::format_int(job.id).c_str());
    write_state(out, "state", job);
    out.end_object();
  };
  bool asked = false;
  for (const auto& [key, value] : call.query) {
    if (key != "job_id") {
      complaints.warnings.push_back({fmt::format("Ignoring unknown field \"{}\" of type string in "
                                                 "DATA_PARSER_OPENAPI_JOB_STATE_QUERY",
                                                 key),
                                     fmt::format("#/{}/", key)});
      continue;
    }
    const auto id = read_job_id(value);
    if (!id) return answer(call, 422, "", complaint(unreadable("query", "op_handler_job_states")));
    asked = true;
    if (const SlurmJob* job = find(*id)) write(*job);
  }
  if (!asked) {
    for (const SlurmJob& job : std::views::values(jobs_)) write(job);
  }
  out.end_array();
  payload += ',';
  return answer(call, 200, payload, complaints);
}

Response SlurmCluster::list_jobs(const SlurmCall& call) const {
  const auto since = base::parse_integer<std::int64_t>(call.find("update_time").value_or("0"));
  if (since.ok() && *since - 1 >= last_job_update_) {
    SlurmComplaints complaints;
    complaints.warnings.push_back(
        {fmt::format("No job changes since update_time[{}]", *since), "op_handler_jobs"});
    return answer(call, 200, R"("jobs":[],)" + job_list_end(0), complaints);
  }
  const JobSeen seen{call.version, options_.cluster_name, call.find("flags") != "ALL", &nodes_};
  std::string payload;
  SlurmText out(payload);
  out.begin_array("jobs");
  for (const SlurmJob& job : std::views::values(jobs_)) write_job(out, job, seen);
  out.end_array();
  payload += ',';
  return answer(call, 200, payload + job_list_end(wall()));
}

Response SlurmCluster::get_job(const SlurmCall& call) const {
  const auto id = read_job_id(call.path[1]);
  if (!id) return answer(call, 422, "", complaint(unreadable("parameters", "op_handler_job")));
  const SlurmJob* job = find(*id);
  if (job == nullptr) {
    return answer(
        call,
        404,
        R"("jobs":[],)" + job_list_end(0),
        complaint({fmt::format("Unable to query JobId={}", *id), 2017, "_handle_job_get"}));
  }
  const JobSeen seen{call.version, options_.cluster_name, call.find("flags") != "ALL", &nodes_};
  std::string payload;
  payload.reserve(8192);
  SlurmText out(payload);
  out.begin_array("jobs");
  write_job(out, *job, seen);
  out.end_array();
  payload += ',';
  payload += job_list_end(last_job_update_);
  return answer(call, 200, payload);
}

Response SlurmCluster::get_resources(const SlurmCall& call) const {
  const auto id = read_job_id(call.path[1]);
  if (!id)
    return answer(call, 422, "", complaint(unreadable("parameters", "op_handler_resources")));
  const SlurmJob* job = find(*id);
  const int number = job == nullptr ? 2017 : (job->state == "RUNNING" ? 0 : 2085);
  if (number != 0) {
    return answer(call,
                  status_of(number),
                  R"("nodes":[],)",
                  complaint({fmt::format("Unable to query JobId={}", *id), number, "_handle_get"}));
  }
  std::string payload;
  SlurmText out(payload);
  write_resources(out, *job, nodes_);
  payload += ',';
  return answer(call, 200, payload);
}

Response SlurmCluster::cancel_job(const SlurmCall& call) {
  const auto id = read_job_id(call.path[1]);
  if (!id) return answer(call, 422, "", complaint(unreadable("parameters", "op_handler_job")));
  const auto found = jobs_.find(*id);
  int problem = 0;
  if (found == jobs_.end()) {
    problem = 2017;
  } else if (!call.admin() && call.user != found->second.user) {
    problem = 2002;
  } else if (!found->second.live()) {
    problem = 2021;
  } else if (call.find("signal").value_or("KILL").contains("KILL")) {
    finish(found->second, "CANCELLED", "");
  } else {
    send_to_nodes(found->second);
  }
  std::string payload;
  SlurmText out(payload);
  out.begin_array("status");
  if (problem != 0) write_cancel_problem(out, call.path[1], problem, problem != 2017);
  out.end_array();
  payload += ',';
  return answer(call, 200, payload);
}

}  // namespace models::slurm
