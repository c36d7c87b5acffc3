// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/workload.h"

#include <gtest/gtest.h>

namespace slurmop::objects {
namespace {

const Meta kMeta{.ns = "a", .name = "b"};

PodTemplate pods() {
  return {.labels = {{"s", "1"}, {"more", "2"}},
          .annotations = {{"hash", "3"}},
          .spec = {{"containers", json::Array{}}}};
}

std::string spec_of(const json::Object& object) {
  return object.find("spec")->dump();
}

TEST(StatefulSet, starts_all_pods_at_once_and_keeps_claims) {
  const json::Object set =
      stateful_set({.meta = kMeta,
                    .selector = {{"s", "1"}},
                    .service = "svc",
                    .pods = pods(),
                    .claim_templates = {claim_template("spool", {{"l", "1"}}, claim_spec("1Gi"))}});
  EXPECT_EQ(*set.find("kind"), json::Value("StatefulSet"));
  EXPECT_EQ(spec_of(set),
            R"({"replicas":1,"serviceName":"svc","podManagementPolicy":"Parallel",)"
            R"("updateStrategy":{"type":"RollingUpdate"},"selector":{"matchLabels":{"s":"1"}},)"
            R"("template":{"metadata":{"labels":{"more":"2","s":"1"},"annotations":{"hash":"3"}},)"
            R"("spec":{"containers":[]}},)"
            R"("volumeClaimTemplates":[{"metadata":{"name":"spool","labels":{"l":"1"}},)"
            R"("spec":{"accessModes":["ReadWriteOnce"],)"
            R"("resources":{"requests":{"storage":"1Gi"}}}}],)"
            R"("persistentVolumeClaimRetentionPolicy":)"
            R"({"whenDeleted":"Retain","whenScaled":"Retain"}})");
}

TEST(StatefulSet, without_claims_has_no_policy_for_them) {
  const json::Object set = stateful_set(
      {.meta = kMeta, .selector = {}, .service = "svc", .replicas = 2, .pods = pods()});
  EXPECT_EQ(*set.find("spec")->find("replicas"), json::Value(2));
  EXPECT_EQ(set.find("spec")->find("persistentVolumeClaimRetentionPolicy"), nullptr);
}

TEST(Deployment, replaces_or_rolls) {
  const json::Object rolling =
      deployment({.meta = kMeta, .selector = {{"s", "1"}}, .replicas = 2, .pods = pods()});
  EXPECT_EQ(spec_of(rolling),
            R"({"replicas":2,"strategy":{"type":"RollingUpdate"},)"
            R"("selector":{"matchLabels":{"s":"1"}},)"
            R"("template":{"metadata":{"labels":{"more":"2","s":"1"},"annotations":{"hash":"3"}},)"
            R"("spec":{"containers":[]}}})");
  const json::Object recreated = deployment(
      {.meta = kMeta, .selector = {{"s", "1"}}, .rollout = Rollout::recreate, .pods = pods()});
  EXPECT_EQ(recreated.find("spec")->find("strategy")->dump(), R"({"type":"Recreate"})");
}

TEST(Claim, quantities_are_written_as_the_server_prints_them) {
  const json::Value spec = *json::parse(R"({"resources":{"requests":{"storage":"2048Mi"}}})");
  EXPECT_EQ(spec_of(claim(kMeta, spec)), R"({"resources":{"requests":{"storage":"2Gi"}}})");
  EXPECT_EQ(*claim(kMeta, spec).find("kind"), json::Value("PersistentVolumeClaim"));
}

TEST(DisruptionBudget, limits_evictions) {
  const json::Object budget = disruption_budget(kMeta, {{"s", "1"}}, 1);
  EXPECT_EQ(*budget.find("apiVersion"), json::Value("policy/v1"));
  EXPECT_EQ(spec_of(budget), R"({"maxUnavailable":1,"selector":{"matchLabels":{"s":"1"}}})");
}

}  // namespace
}  // namespace slurmop::objects
