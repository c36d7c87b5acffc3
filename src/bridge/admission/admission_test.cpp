// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/admission.h"

#include "bridge/admission/server.h"
#include "bridge/testing/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge {
namespace {

using ::testing::AllOf;
using testing::Asking;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::pod_text;
using testing::review_text;
using testing::Told;
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
  std::string words;
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

TEST(AdmissionReviews, WhatMakesNoSenseIsRefusedClearly) {
  Asking asking;
  for (const Senseless& row : kSenseless) {
    SCOPED_TRACE(row.what);
    const auto answer = asking.post(Admission::kValidatePath, row.body);
    EXPECT_EQ(answer.status, row.status) << answer.body;
    EXPECT_THAT(answer.body, HasSubstr(row.words));
    if (row.status == 200)
      EXPECT_THAT(answer.body, AllOf(HasSubstr(R"("uid":"r-1")"), HasSubstr(R"("allowed":false)")));
  }
}

TEST(AdmissionReviews, DeletingAndWhateverElseIsAllowed) {
  Asking asking;
  const auto answer = asking.post(Admission::kValidatePath, replaced(kReview, "CREATE", "DELETE"));
  EXPECT_THAT(answer.body, HasSubstr(R"("allowed":true)"));
}

TEST(AdmissionReviews, OtherPathsAndMethodsAreRefused) {
  Asking asking;
  EXPECT_EQ(asking.post("/elsewhere", kReview).status, 404);
  net::http::Request get("GET", std::string(Admission::kMutatePath));
  EXPECT_EQ(asking.world.run(asking.admission.answer(get)).response.status, 405);
}

TEST(ManagedNamespaces, ASelectorThatMatchesManages) {
  Asking asking(team("a"));
  asking.server.namespaces = {{"one", "a"}, {"two", "b"}};
  asking.start();
  asking.server.calls.clear();
  EXPECT_TRUE(asking.mutate({kPlainPod, "", "one"}).patched);
  EXPECT_FALSE(asking.mutate({kPlainPod, "", "two"}).patched);
  EXPECT_THAT(asking.server.calls, IsEmpty()) << "the watch has the labels";
}

TEST(ManagedNamespaces, WithASelectorTheListDoesNotCount) {
  Asking asking(team("a"));
  asking.server.namespaces = {{"managed", "b"}};
  EXPECT_FALSE(asking.mutate({kPlainPod, "", "managed"}).patched);
}

TEST(ManagedNamespaces, AnEmptySelectorManagesEverything) {
  Asking asking({{}, kube::LabelSelector{}});
  asking.server.namespaces = {{"one", "a"}};
  EXPECT_TRUE(asking.mutate({kPlainPod, "", "one"}).patched);
}

TEST(ManagedNamespaces, WithoutASelectorNobodyIsAsked) {
  Asking asking;
  EXPECT_TRUE(asking.mutate({kPlainPod, "", "managed"}).patched);
  EXPECT_FALSE(asking.mutate({kPlainPod, "", "other"}).patched);
  EXPECT_THAT(asking.server.calls, IsEmpty());
}

TEST(ManagedNamespaces, ANamespaceThatIsNewIsAskedFor) {
  Asking asking(team("a"));
  EXPECT_EQ(asking.admission.ready().error().message(),
            "the bridge's own user name is not known yet");
  asking.start();
  EXPECT_TRUE(asking.admission.ready().ok());
  asking.server.namespaces = {{"new", "a"}};
  EXPECT_TRUE(asking.mutate({kPlainPod, "", "new"}).patched);
  EXPECT_THAT(asking.server.calls, Contains("GET /api/v1/namespaces/new"));
}

TEST(ManagedNamespaces, WhatCannotBeLookedUpIsRefusedWithTheReason) {
  Asking asking(team("a"));
  const Told unknown = asking.mutate({kPlainPod, "", "nowhere"});
  EXPECT_EQ(unknown.code, 500);
  EXPECT_THAT(unknown.message, AllOf(HasSubstr("nowhere"), HasSubstr("no such namespace")));
  asking.server.away = true;
  const Told away = asking.validate({kPlainPod, "", "one"});
  EXPECT_EQ(away.code, 500);
  EXPECT_THAT(away.message, HasSubstr("connection refused"));
  const std::string by_name = pod_text("", R"("schedulerName":"slurm-bridge-scheduler")");
  EXPECT_TRUE(asking.mutate({by_name, "", "one"}).patched) << "this pod names our scheduler";
}

TEST(ManagedNamespaces, CanChangeWhileItRuns) {
  Asking asking;
  asking.server.namespaces = {{"one", "a"}, {"managed", "b"}};
  asking.start();
  EXPECT_TRUE(asking.mutate({kPlainPod, "", "managed"}).patched);
  asking.admission.apply(team("a"));
  EXPECT_FALSE(asking.admission.ready().ok()) << "the namespaces are not listed yet";
  asking.pass(100ms);
  EXPECT_TRUE(asking.admission.ready().ok());
  EXPECT_TRUE(asking.mutate({kPlainPod, "", "one"}).patched);
  EXPECT_FALSE(asking.mutate({kPlainPod, "", "managed"}).patched);
  asking.admission.apply({{"two"}, std::nullopt});
  EXPECT_FALSE(asking.mutate({kPlainPod, "", "one"}).patched);
  EXPECT_TRUE(asking.mutate({kPlainPod, "", "two"}).patched);
}

TEST(OwnName, IsLearnedWhenTheServerComesBack) {
  Asking asking;
  asking.server.away = true;
  asking.start();
  EXPECT_FALSE(asking.admission.ready().ok());
  asking.server.away = false;
  asking.pass(5s);
  EXPECT_TRUE(asking.admission.ready().ok());
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
  EXPECT_FALSE(admission::user_in_self_review("{}").ok());
  EXPECT_FALSE(admission::user_in_self_review("no").ok());
  EXPECT_FALSE(admission::user_in_self_review(R"({"status":{"userInfo":{"username":7}}})").ok());
}

TEST(AdmissionMetrics, CountVerdictsAndTime) {
  Asking asking;
  (void)asking.mutate({kPlainPod});
  (void)asking.mutate({kPlainPod, "", "other"});
  (void)asking.validate({pod_text("", R"("resourceClaims":[{}])")});
  (void)asking.post(Admission::kValidatePath, "");
  EXPECT_THAT(
      asking.metrics.text(),
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

TEST(AdmissionServer, ACertificateThatIsMissingIsWaitedForAndSaid) {
  Asking asking;
  std::vector<std::string> lines;
  const base::Log log([&](std::string_view line) { lines.emplace_back(line); },
                      asking.world.clock,
                      base::LogFormat::json);
  AdmissionServer server(asking.world.loop, asking.admission, {{"127.0.0.1", 0}, "/nowhere"}, log);
  net::TaskGroup running(asking.world.loop);
  running.spawn("server", server.run());
  asking.pass(30s);
  ASSERT_FALSE(server.ready().ok());
  EXPECT_THAT(server.ready().error().message(), HasSubstr("/nowhere/tls.crt"));
  EXPECT_EQ(lines.size(), 1U) << "it is logged once";
  server.stop();
  asking.world.run(running.join());
}

}  // namespace
}  // namespace bridge
