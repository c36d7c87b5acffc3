// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/object.h"

#include "operator/objects/testing_shape.h"

#include <gtest/gtest.h>

namespace slurmop::objects {
namespace {

std::string text(const json::Object& object) {
  return json::Value(object).dump();
}

kube::OwnerReference owner() {
  return {.apiVersion = "slurm.nebius.ai/v1",
          .kind = "SlurmCluster",
          .name = "demo",
          .uid = kube::Uid("u1"),
          .controller = true,
          .blockOwnerDeletion = true};
}

TEST(Object, has_the_metadata_that_is_given_and_no_empty_members) {
  EXPECT_EQ(text(object(kube::kStatefulSets, {.ns = "a", .name = "b"})),
            R"({"apiVersion":"apps/v1","kind":"StatefulSet",)"
            R"("metadata":{"name":"b","namespace":"a"}})");
  EXPECT_EQ(text(metadata({.ns = "a",
                           .name = "b",
                           .labels = {{"l", "1"}},
                           .annotations = {{"n", "2"}},
                           .owner = owner()})),
            R"({"name":"b","namespace":"a","labels":{"l":"1"},"annotations":{"n":"2"},)"
            R"("ownerReferences":[{"apiVersion":"slurm.nebius.ai/v1","kind":"SlurmCluster",)"
            R"("name":"demo","uid":"u1","controller":true,"blockOwnerDeletion":true}]})");
}

TEST(Object, a_config_map_keeps_empty_files_but_no_empty_data) {
  EXPECT_EQ(text(config_map({.ns = "a", .name = "b"}, {{"x", ""}})),
            R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b","namespace":"a"},)"
            R"("data":{"x":""}})");
  EXPECT_EQ(config_map({.ns = "a", .name = "b"}, {}).find("data"), nullptr);
}

TEST(Object, a_service_account_gives_its_token_to_no_pod) {
  EXPECT_EQ(text(service_account({.ns = "a", .name = "b"})),
            R"({"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"b","namespace":"a"},)"
            R"("automountServiceAccountToken":false})");
}

TEST(Object, services_publish_pods_that_are_not_ready) {
  EXPECT_EQ(
      text(service({.ns = "a", .name = "b"},
                   ServiceKind::cluster_ip,
                   {{"s", "1"}},
                   {{.name = "ssh", .port = 22, .node_port = 30022}, {.name = "x", .port = 7}})),
      R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"b","namespace":"a"},)"
      R"("spec":{"publishNotReadyAddresses":true,"selector":{"s":"1"},)"
      R"("ports":[{"name":"ssh","port":22,"nodePort":30022},{"name":"x","port":7}]}})");
  const json::Object headless =
      service({.ns = "a", .name = "b"}, ServiceKind::headless, {{"s", "1"}}, {});
  EXPECT_EQ(*headless.find("spec")->find("clusterIP"), json::Value("None"));
}

json::Array with_texts(const std::string& any) {
  const Meta meta{.ns = any,
                  .name = any,
                  .labels = {{"l", any}},
                  .annotations = {{"n", any}},
                  .owner = {.apiVersion = any, .kind = any, .name = any, .uid = kube::Uid(any)}};
  return {config_map(meta, {{"key", any}}),
          service_account(meta),
          service(meta, ServiceKind::headless, {{"s", any}}, {{.name = any, .port = 1}}),
          object(kube::kPods, meta)};
}

TEST(Object, no_text_changes_the_structure) {
  const json::Value plain = reread({{"all", with_texts("plain")}});
  for (const std::string& hostile : hostile_texts()) {
    const json::Value all = reread({{"all", with_texts(hostile)}});
    EXPECT_TRUE(same_shape(all, plain)) << hostile;
    const json::Object& map = *all.find("all")->as_array()->front().as_object();
    EXPECT_EQ(*map.find("data")->find("key"), json::Value(hostile));
  }
}

}  // namespace
}  // namespace slurmop::objects
