// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/endpoints.h"

#include <gtest/gtest.h>

namespace slurmop::agent {
namespace {

using net::http::Request;
using net::http::Response;

Response asked(std::string method, std::string target, std::string missing = "") {
  return answer(Request(std::move(method), std::move(target)),
                {.report = [] { return Report{.seen = "b", .active = "a", .error = "line 3"}; },
                 .missing = [missing] { return missing; }});
}

TEST(AgentEndpoints, AreHealthyWithAnActiveConfiguration) {
  EXPECT_EQ(asked("GET", "/healthz").status, 200);
  EXPECT_EQ(asked("HEAD", "/healthz?x=1").status, 200);
  const Response missing = asked("GET", "/healthz", "there is no configuration yet");
  EXPECT_EQ(missing.status, 503);
  EXPECT_EQ(missing.body, "there is no configuration yet\n");
}

TEST(AgentEndpoints, ShowTheReport) {
  const Response status = asked("GET", "/status", "even without an active one");
  EXPECT_EQ(status.status, 200);
  EXPECT_EQ(status.header("content-type"), "application/json");
  EXPECT_EQ(status.body, "{\"seen\":\"b\",\"active\":\"a\",\"error\":\"line 3\"}\n");
}

TEST(AgentEndpoints, RejectEverythingElse) {
  EXPECT_EQ(asked("GET", "/").status, 404);
  EXPECT_EQ(asked("GET", "/status/x").status, 404);
  const Response refused = asked("POST", "/status");
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(refused.header("Allow"), "GET, HEAD");
}

}  // namespace
}  // namespace slurmop::agent
