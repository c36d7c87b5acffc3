// SPDX-License-Identifier: Apache-2.0
// #23, #24: the priority of a job could not be set. Baseline 9.1, 9.2: a priority above 2147483647,
// even of a foreign job, stopped everything.
#include "slurm/api/job_answer.h"
#include "small_world.h"
#include "workload/job_of_pod.h"

namespace issues {
namespace {

TEST(Issue023, ThePriorityAnnotationReachesSlurm) {
  kube::Pod pod;
  pod.metadata.annotations[workload::kJobAnnotationPrefix + "priority"] = "7";
  const auto request = workload::job_of_pod(pod, {"c-1", "s"}, {});
  ASSERT_TRUE(request.ok());
  EXPECT_TRUE(slurm::submit_body(*request).contains(
      R"("priority":{"infinite":false,"number":7,"set":true})"))
      << slurm::submit_body(*request);
}

TEST(Baseline91, AJobOfTheHighestPriorityThereIsCanBeRead) {
  for (const char* priority : {R"({"set":true,"infinite":false,"number":4294901759})",
                               R"({"set":true,"infinite":true,"number":0})"}) {
    const auto job = slurm::job(
        net::http::Response(200,
                            {},
                            fmt::format(R"({{"jobs":[{{"job_id":7,"job_state":["PENDING"],)"
                                        R"("priority":{}}}],"errors":[]}})",
                                        priority)),
        slurm::JobId(7));
    EXPECT_TRUE(job.ok()) << priority << ": " << job.error().to_string();
  }
}

TEST(Baseline92, AForeignJobsPriorityStopsNobody) {
  SmallWorld small;
  models::slurm::SlurmJob job;
  job.name = "somebody";
  job.partition = "small";
  job.external = true;
  job.priority = 3'000'000'000;
  (void)small.world.slurm().submit(job);
  small.create("a", {{"exclusive", "false"}, {"partition", "small"}});
  EXPECT_TRUE(small.until([&] { return small.bound("a"); }, 10s));
}

}  // namespace
}  // namespace issues
