// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/pod_webhook.h"

#include "bridge/admission/server.h"
#include "bridge/testing/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::pod_text;
using testing::Reply;
using testing::review_text;
using testing::TestAdmission;
using ::testing::UnorderedElementsAre;
using namespace std::chrono_literals;

const std::string kPlainPod = pod_text("", R"("schedulerName":"default-scheduler")");

admission::ManagedNamespaces team(const std::string& name) {
  return {{"managed"}, kube::LabelSelector{{{"team", name}}, {}}};
}

struct Senseless {
  const char* what;
  std::string body;
  int status;
  std::string message;
};

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  return text.replace(text.find(what), what.size(), with);
}

const std::string kReview = review_text({kPlainPod});

const Senseless kSenseless[] = {
    {"nothing", "", 400, ""},
    {"no JSON", "AdmissionReview", 400, ""},
    {"half a review", kReview.substr(0, 200), 400, ""},
    {"another object", R"({"apiVersion":"v1","kind":"Pod"})", 400, "AdmissionReview"},
    {"another version",
     replaced(kReview, "admission.k8s.io/v1", "admission.k8s.io/v1beta1"),
     400,
     "admission.k8s.io/v1beta1"},
    {"a list", "[]", 400, "AdmissionReview"},
    {"no request",
     R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"})",
     400,
     "request is missing"},
    {"no uid", replaced(kReview, R"("uid":"r-1",)", ""), 400, "request.uid"},
    {"a uid that is none", replaced(kReview, R"("r-1")", "7"), 400, "request.uid"},
    {"a uid without end", replaced(kReview, "r-1", std::string(1000, 'x')), 400, "request.uid"},
    {"not about pods",
     replaced(kReview, R"("resource":"pods")", R"("resource":"nodes")"),
     200,
     "this webhook is for v1 pods"},
    {"a pod without a specification",
     replaced(kReview, R"("spec":{)", R"("sepc":{)"),
     200,
     "$.spec is missing"},
    {"no object",
     replaced(kReview, R"("object":{)", R"("thing":{)"),
     200,
     "request.object is missing"},
    {"an update without what was",
     replaced(kReview, "CREATE", "UPDATE"),
     200,
     "request.oldObject is missing"},
    {"no namespace",
     replaced(kReview, R"("namespace":"managed",)", ""),
     200,
     "request.namespace is missing"},
    {"an object that is none",
     replaced(kReview, R"("object":{)", R"("object":7,"thing":{)"),
     200,
     "request.object is missing"},
    {"too deep",
     replaced(kReview, kPlainPod, std::string(5000, '[') + std::string(5000, ']')),
     400,
     ""},
};

TEST(AdmissionReviews, AMalformedReviewIsDeniedWithTheReason) {
  TestAdmission test;
  for (const Senseless& row : kSenseless) {
    SCOPED_TRACE(row.what);
    const auto answer = test.post(PodWebhook::kValidatePath, row.body);
    EXPECT_EQ(answer.status, row.status) << answer.body;
    EXPECT_THAT(answer.body, HasSubstr(row.message));
    if (row.status == 200)
      EXPECT_THAT(answer.body, AllOf(HasSubstr(R"("uid":"r-1")"), HasSubstr(R"("allowed":false)")));
  }
}

TEST(AdmissionReviews, DeletingAndWhateverElseIsAllowed) {
  TestAdmission test;
  const auto answer = test.post(PodWebhook::kValidatePath, replaced(kReview, "CREATE", "DELETE"));
  EXPECT_THAT(answer.body, HasSubstr(R"("allowed":true)"));
}

TEST(AdmissionReviews, OtherPathsAndMethodsAreRefused) {
  TestAdmission test;
  EXPECT_EQ(test.post("/elsewhere", kReview).status, 404);
  net::http::Request get("GET", std::string(PodWebhook::kMutatePath));
  EXPECT_EQ(test.world.run(test.admission.answer(get)).response.status, 405);
}

TEST(ManagedNamespaces, ASelectorThatMatchesManages) {
  TestAdmission test(team("a"));
  test.server.namespaces = {{"one", "a"}, {"two", "b"}};
  test.start();
  test.server.calls.clear();
  EXPECT_TRUE(test.mutate({kPlainPod, "", "one"}).patched);
  EXPECT_FALSE(test.mutate({kPlainPod, "", "two"}).patched);
  EXPECT_THAT(test.server.calls, IsEmpty()) << "the watch has the labels";
}

TEST(ManagedNamespaces, WithASelectorTheListDoesNotCount) {
  TestAdmission test(team("a"));
  test.server.namespaces = {{"managed", "b"}};
  EXPECT_FALSE(test.mutate({kPlainPod, "", "managed"}).patched);
}

TEST(ManagedNamespaces, AnEmptySelectorManagesEverything) {
  TestAdmission test({{}, kube::LabelSelector{}});
  test.server.namespaces = {{"one", "a"}};
  EXPECT_TRUE(test.mutate({kPlainPod, "", "one"}).patched);
}

TEST(ManagedNamespaces, WithoutASelectorNothingIsRead) {
  TestAdmission test;
  EXPECT_TRUE(test.mutate({kPlainPod, "", "managed"}).patched);
  EXPECT_FALSE(test.mutate({kPlainPod, "", "other"}).patched);
  EXPECT_THAT(test.server.calls, IsEmpty());
}

TEST(ManagedNamespaces, ANewNamespaceIsRead) {
  TestAdmission test(team("a"));
  EXPECT_EQ(test.admission.ready().error().message(),
            "the bridge's own user name is not known yet");
  test.start();
  EXPECT_TRUE(test.admission.ready().ok());
  test.server.namespaces = {{"new", "a"}};
  EXPECT_TRUE(test.mutate({kPlainPod, "", "new"}).patched);
  EXPECT_THAT(test.server.calls, Contains("GET /api/v1/namespaces/new"));
}

TEST(ManagedNamespaces, WhatCannotBeLookedUpIsRefusedWithTheReason) {
  TestAdmission test(team("a"));
  const Reply unknown = test.mutate({kPlainPod, "", "nowhere"});
  EXPECT_EQ(unknown.code, 500);
  EXPECT_THAT(unknown.message, AllOf(HasSubstr("nowhere"), HasSubstr("no such namespace")));
  test.server.away = true;
  const Reply away = test.validate({kPlainPod, "", "one"});
  EXPECT_EQ(away.code, 500);
  EXPECT_THAT(away.message, HasSubstr("connection refused"));
  const std::string by_name = pod_text("", R"("schedulerName":"slurm-bridge-scheduler")");
  EXPECT_TRUE(test.mutate({by_name, "", "one"}).patched) << "this pod names our scheduler";
}

TEST(ManagedNamespaces, CanChangeWhileItRuns) {
  TestAdmission test;
  test.server.namespaces = {{"one", "a"}, {"managed", "b"}};
  test.start();
  EXPECT_TRUE(test.mutate({kPlainPod, "", "managed"}).patched);
  test.admission.apply(team("a"));
  EXPECT_FALSE(test.admission.ready().ok()) << "the namespaces are not listed yet";
  test.pass(100ms);
  EXPECT_TRUE(test.admission.ready().ok());
  EXPECT_TRUE(test.mutate({kPlainPod, "", "one"}).patched);
  EXPECT_FALSE(test.mutate({kPlainPod, "", "managed"}).patched);
  test.admission.apply({{"two"}, std::nullopt});
  EXPECT_FALSE(test.mutate({kPlainPod, "", "one"}).patched);
  EXPECT_TRUE(test.mutate({kPlainPod, "", "two"}).patched);
}

TEST(OwnName, IsLearnedWhenTheServerComesBack) {
  TestAdmission test;
  test.server.away = true;
  test.start();
  EXPECT_FALSE(test.admission.ready().ok());
  test.server.away = false;
  test.pass(5s);
  EXPECT_TRUE(test.admission.ready().ok());
}

TEST(OwnName, BesideTheReferencesAccountStandThoseOfTheOtherRoles) {
  EXPECT_THAT(admission::users_beside("system:serviceaccount:ns:slurm-bridge-admission", "sched"),
              UnorderedElementsAre("system:serviceaccount:ns:slurm-bridge-admission",
                                   "system:serviceaccount:ns:slurm-bridge-scheduler",
                                   "system:serviceaccount:ns:slurm-bridge-controllers",
                                   "system:serviceaccount:ns:slurm-bridge",
                                   "system:serviceaccount:ns:sched"));
  EXPECT_THAT(admission::users_beside("kubernetes-admin", "sched"),
              UnorderedElementsAre("kubernetes-admin"));
  EXPECT_THAT(admission::users_beside("evil-admission", "sched"),
              UnorderedElementsAre("evil-admission"));
}

TEST(OwnName, AnAnswerWithoutOneIsAnError) {
  EXPECT_FALSE(admission::user_of(kube::SelfSubjectReview()).ok());
  json::Parser parser;
  const auto wrong = parser.parse(R"({"status":{"userInfo":{"username":7}}})");
  EXPECT_FALSE(kube::decode_object<kube::SelfSubjectReview>(*wrong).ok());
}

TEST(AdmissionMetrics, CountVerdictsAndTime) {
  TestAdmission test;
  (void)test.mutate({kPlainPod});
  (void)test.mutate({kPlainPod, "", "other"});
  (void)test.validate({pod_text("", R"("resourceClaims":[{}])")});
  (void)test.post(PodWebhook::kValidatePath, "");
  EXPECT_THAT(
      test.metrics.text(),
      AllOf(
          HasSubstr(
              R"(slurm_bridge_admission_verdicts_total{webhook="mutate",verdict="patched"} 1)"),
          HasSubstr(
              R"(slurm_bridge_admission_verdicts_total{webhook="mutate",verdict="allowed"} 1)"),
          HasSubstr(
              R"(slurm_bridge_admission_verdicts_total{webhook="validate",verdict="denied"} 1)"),
          HasSubstr(
              R"(slurm_bridge_admission_verdicts_total{webhook="validate",verdict="malformed"} 1)"),
          HasSubstr(R"(slurm_bridge_admission_duration_seconds_count{webhook="validate"} 2)")));
}

TEST(PodWebhookServer, AMissingCertificateIsAwaitedAndLogged) {
  TestAdmission test;
  std::vector<std::string> lines;
  const base::Log log([&](std::string_view line) { lines.emplace_back(line); },
                      test.world.clock,
                      base::LogFormat::json);
  PodWebhookServer server(test.world.loop, test.admission, {{"127.0.0.1", 0}, "/nowhere"}, log);
  net::TaskGroup running(test.world.loop);
  running.spawn("server", server.run());
  test.pass(30s);
  ASSERT_FALSE(server.ready().ok());
  EXPECT_THAT(server.ready().error().message(), HasSubstr("/nowhere/tls.crt"));
  EXPECT_EQ(lines.size(), 1U) << "it is logged once";
  server.stop();
  test.world.run(running.join());
}

}  // namespace
}  // namespace bridge
