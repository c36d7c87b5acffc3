// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: pods that go through one line of the table of causes.
#include "bridge/writes/causes.h"
#include "small_world.h"

namespace issues {

using bridge::writes::Cause;

struct EachCause : ::testing::Test {
  // The pod shows the reason of the table for the cause.
  void says(const std::string& pod, Cause cause, base::Duration within = 30s) {
    const std::string reason(bridge::writes::line_of(cause).reason);
    EXPECT_TRUE(small.until(
        [&] { return small.pod(pod) != nullptr && small.pod(pod)->scheduled_reason == reason; },
        within))
        << reason << " is missing; it says " << small.pod(pod)->scheduled_reason << ": "
        << small.pod(pod)->scheduled_message;
  }
  void runs(const std::string& pod, base::Duration within = 60s) {
    EXPECT_TRUE(small.until([&] { return small.bound(pod); }, within))
        << small.pod(pod)->scheduled_reason << ": " << small.pod(pod)->scheduled_message;
  }
  // A pod that waits in the partition of two nodes, which a foreign job fills.
  void waits_behind_somebody(const std::string& pod) {
    somebody = small.fill("small", 2);
    small.create(pod, {{"partition", "small"}, {"exclusive", "false"}});
    says(pod, Cause::waiting);
  }
  void somebody_goes() { small.world.slurm().end(somebody, "CANCELLED", "None"); }
  std::uint32_t job_of(const std::string& pod) { return small.jobs(pod).back().id; }
  std::size_t live_jobs(const std::string& pod) {
    const auto jobs = small.jobs(pod);
    return static_cast<std::size_t>(std::ranges::count_if(jobs, &models::slurm::SlurmJob::live));
  }

  // The number of recorded Events with this reason.
  std::int64_t events(std::string_view reason) {
    const auto answer = small.world.as_user(
        {"GET", fmt::format("/api/v1/namespaces/{}/events", sim::kNamespace), ""});
    const auto list = json::parse(answer.body);
    std::int64_t times = 0;
    for (const json::Value& event : *list->find("items")->as_array()) {
      const json::Value* count = event.find("count");
      if (*event.find("reason")->as_string() == reason)
        times += count != nullptr ? *count->as_int() : 1;
    }
    return times;
  }

  SmallWorld small;
  std::uint32_t somebody = 0;
};

}  // namespace issues
