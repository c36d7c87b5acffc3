// SPDX-License-Identifier: Apache-2.0
#include "slurm/client/call_name.h"

#include <gtest/gtest.h>

namespace slurm::inline client {
namespace {

TEST(CallName, SaysWhatIsAskedForAndNotAboutWhom) {
  const struct {
    std::string method, target, want;
  } rows[] = {
      {"GET", "/slurm/v0.0.45/job/4711", "GET job/*"},
      {"DELETE", "/slurm/v0.0.43/job/4711", "DELETE job/*"},
      {"POST", "/slurm/v0.0.45/job/submit", "POST job/submit"},
      {"POST", "/slurm/v0.0.45/job/4711", "POST job/*"},
      {"GET", "/slurm/v0.0.45/jobs/state/?job_id=1&job_id=2", "GET jobs/state"},
      {"GET", "/slurm/v0.0.45/node/submit-host", "GET node/*"},
      {"GET", "/slurm/v0.0.45/nodes/?update_time=3", "GET nodes"},
      {"GET", "/slurmdb/v0.0.45/associations/?user=alice", "GET associations"},
      {"GET", "/openapi/v3", "GET openapi/v3"},
      {"GET", "/", "GET"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(call_name(net::http::Request(row.method, row.target)), row.want) << row.target;
}

}  // namespace
}  // namespace slurm::inline client
