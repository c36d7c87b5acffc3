// SPDX-License-Identifier: Apache-2.0
#include "slurm/client/call_name.h"

#include "slurm/testing/api_path.h"

#include <gtest/gtest.h>

namespace slurm::inline client {
namespace {

using testing::accounting_path;
using testing::api_path;

TEST(CallName, NamesTheKindOfRequestWithoutTheObject) {
  const struct {
    std::string method, target, want;
  } rows[] = {
      {"GET", api_path("/job/4711"), "GET job/*"},
      {"DELETE", api_path("/job/4711", ApiVersion::v0_0_43), "DELETE job/*"},
      {"POST", api_path("/job/submit"), "POST job/submit"},
      {"POST", api_path("/job/4711"), "POST job/*"},
      {"GET", api_path("/jobs/state/?job_id=1&job_id=2"), "GET jobs/state"},
      {"GET", api_path("/node/submit-host"), "GET node/*"},
      {"GET", api_path("/nodes/?update_time=3"), "GET nodes"},
      {"GET", accounting_path("/associations/?user=alice"), "GET associations"},
      {"GET", "/openapi/v3", "GET openapi/v3"},
      {"GET", "/", "GET"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(call_name(net::http::Request(row.method, row.target)), row.want) << row.target;
}

}  // namespace
}  // namespace slurm::inline client
