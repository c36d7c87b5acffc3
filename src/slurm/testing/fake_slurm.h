// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/integer.h"
#include "json/value.h"
#include "slurm/testing/api_path.h"
#include "slurm/testing/sample.h"
#include "slurm/testing/transport.h"

#include <fmt/ranges.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// For tests only.
namespace slurm::testing {

struct FakeJob {
  std::string state = "PENDING";
  std::string comment = "other";
  std::vector<std::string> nodes = {};
  std::int64_t submitted = 0;  // by Slurm's clock; zero: not reported
};

// A minimal Slurm: a test changes the jobs, and answers have slurmrestd's format.
class FakeSlurm {
 public:
  std::map<std::uint32_t, FakeJob> jobs;
  std::optional<base::Error> outage;
  base::Duration latency = base::Duration::zero();
  std::size_t longest_target = 80'000;  // a proxy in front of it rejects longer ones

  ScriptedTransport::Reply reply(const net::http::Request& request) const {
    if (outage) return {*outage, latency};
    if (request.target.size() > longest_target)
      return {answer(414, "<html>414 Request-URI Too Large</html>"), latency};
    const std::string_view path = std::string_view(request.target).substr(api_path("").size());
    if (path.starts_with("/jobs/state/")) return {states(path), latency};
    const std::size_t slash = path.rfind('/') + 1;
    const auto id = *base::parse_integer<std::uint32_t>(path.substr(slash, path.find('?') - slash));
    if (!jobs.contains(id)) return {failure(404, 2017), latency};
    return {job(id), latency};
  }

 private:
  static net::http::Response failure(int status, int number) {
    return answer(status,
                  fmt::format(R"({{"errors":[{{"error_number":{}}}],"warnings":[]}})", number));
  }
  static net::http::Response body(const char* key, json::Array list) {
    const json::Object all{{key, std::move(list)}, {"errors", json::Array{}}};
    return answer(200, json::Value(all).dump());
  }

  // The ids of "?job_id=1&job_id=2".
  static std::set<std::uint32_t> asked(std::string_view path) {
    constexpr std::string_view kKey = "job_id=";
    std::set<std::uint32_t> ids;
    for (auto at = path.find(kKey); at != path.npos; at = path.find(kKey, at + 1)) {
      const std::string_view rest = path.substr(at + kKey.size());
      ids.insert(*base::parse_integer<std::uint32_t>(rest.substr(0, rest.find('&'))));
    }
    return ids;
  }

  net::http::Response states(std::string_view path) const {
    const std::set<std::uint32_t> ids = asked(path);
    json::Array list;
    for (const auto& [id, job] : jobs) {
      if (!ids.empty() && !ids.contains(id)) continue;
      list.push_back(
          json::Object{{"job_id", std::to_string(id)}, {"state", json::Array{job.state}}});
    }
    return body("jobs", std::move(list));
  }
  net::http::Response job(std::uint32_t id) const {
    const FakeJob& one = jobs.at(id);
    return body("jobs",
                {json::Object{{"job_id", id},
                              {"job_state", json::Array{one.state}},
                              {"name", "job"},
                              {"nodes", fmt::format("{}", fmt::join(one.nodes, ","))},
                              {"submit_time",
                               json::Object{{"set", one.submitted != 0},
                                            {"infinite", false},
                                            {"number", one.submitted}}},
                              {"admin_comment", one.comment}}});
  }
};

}  // namespace slurm::testing
