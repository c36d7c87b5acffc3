// SPDX-License-Identifier: Apache-2.0
#include "models/actors/job_controller.h"

#include "models/kube/json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace models::actors {
namespace {

constexpr std::string_view kJobs = "/apis/batch/v1/namespaces/default/jobs";

struct JobControllerTest : ::testing::Test {
  base::VirtualClock clock;
  kube::KubeServer server{clock};
  JobController controller{server, clock};

  int ask(std::string method, std::string path, std::string body = "") {
    net::http::Request request(std::move(method), std::move(path), std::move(body));
    request.headers.emplace_back(
        "Content-Type",
        request.method == "PATCH" ? "application/merge-patch+json" : "application/json");
    return server.handle(request).status;
  }
  void make_job(std::string_view name, int completions, int parallelism) {
    EXPECT_EQ(ask("POST",
                  std::string(kJobs),
                  fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"completions":{},)"
                              R"("parallelism":{},"completionMode":"Indexed","backoffLimit":0,)"
                              R"("template":{{"metadata":{{"annotations":{{"a":"b"}}}},"spec":)"
                              R"({{"restartPolicy":"Never","containers":)"
                              R"([{{"name":"c","image":"i"}}]}}}}}}}})",
                              name,
                              completions,
                              parallelism)),
              201);
    controller.look();
  }
  std::vector<std::string> pods() const {
    std::vector<std::string> names;
    for (const json::Value* pod : server.all("pods"))
      names.emplace_back(kube::text_at(*pod, {"metadata", "name"}));
    return names;
  }
  void end(const std::string& pod, std::string_view phase) {
    EXPECT_EQ(ask("PATCH",
                  fmt::format("/api/v1/namespaces/default/pods/{}/status", pod),
                  fmt::format(R"({{"status":{{"phase":"{}"}}}})", phase)),
              200);
    controller.look();
  }
  const json::Value& job(std::string name) { return *server.find({"jobs", "default", name}); }
};

TEST_F(JobControllerTest, AJobGetsAsManyPodsAsMayRunAtOnceEachWithItsIndex) {
  make_job("scan", 3, 2);
  ASSERT_EQ(pods().size(), 2U);
  const json::Value& pod = *server.find({"pods", "default", pods()[1]});
  EXPECT_TRUE(pods()[1].starts_with("scan-1-"));
  EXPECT_EQ(kube::text_at(pod, {"metadata", "labels", "job-name"}), "scan");
  EXPECT_EQ(kube::text_at(pod, {"metadata", "annotations", "a"}), "b");
  EXPECT_EQ(
      kube::text_at(pod, {"metadata", "annotations", "batch.kubernetes.io/job-completion-index"}),
      "1");
  end(pods()[0], "Succeeded");
  ASSERT_EQ(pods().size(), 3U);
  EXPECT_TRUE(pods()[2].starts_with("scan-2-"));
}

TEST_F(JobControllerTest, AJobIsCompleteWhenEnoughPodsHaveSucceededAndThenNothingIsWritten) {
  make_job("scan", 2, 2);
  for (const std::string& pod : pods()) end(pod, "Succeeded");
  EXPECT_EQ(kube::text_at(kube::array_at(job("scan"), {"status", "conditions"}).at(0), {"type"}),
            "Complete");
  const std::uint64_t version = server.version();
  controller.look();
  EXPECT_EQ(server.version(), version);
}

TEST_F(JobControllerTest, AJobThatFailsTooOftenGetsNoFurtherPods) {
  make_job("scan", 2, 1);
  end(pods()[0], "Failed");
  EXPECT_EQ(pods().size(), 1U);
  EXPECT_EQ(kube::text_at(kube::array_at(job("scan"), {"status", "conditions"}).at(0), {"type"}),
            "Failed");
}

TEST_F(JobControllerTest, ThePodsOfADeletedJobGoWithItAndOthersStay) {
  make_job("scan", 2, 2);
  make_job("other", 1, 1);
  EXPECT_EQ(ask("DELETE", std::string(kJobs) + "/scan"), 200);
  controller.look();
  ASSERT_EQ(pods().size(), 1U);
  EXPECT_TRUE(pods()[0].starts_with("other-0-"));
}

TEST_F(JobControllerTest, AJobDeletedInTheForegroundIsRemovedAfterItsPods) {
  make_job("scan", 1, 1);
  EXPECT_EQ(ask("DELETE", std::string(kJobs) + "/scan", R"({"propagationPolicy":"Foreground"})"),
            200);
  EXPECT_NE(server.find({"jobs", "default", "scan"}), nullptr);
  controller.look();
  EXPECT_TRUE(pods().empty());
  controller.look();
  EXPECT_EQ(server.find({"jobs", "default", "scan"}), nullptr);
}

}  // namespace
}  // namespace models::actors
