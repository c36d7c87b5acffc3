// SPDX-License-Identifier: Apache-2.0
#include "golden.h"
#include "operator/settle/cluster.h"
#include "operator/settle/testing_describe.h"
#include "operator/settle/testing_resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace slurmop::settle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> errors(std::string_view spec,
                                const std::vector<json::Value>& node_sets = {}) {
  const Settled result = settle(resource("demo", spec), node_sets, {}, {});
  EXPECT_EQ(result.cluster.has_value(), result.findings.ok());
  std::vector<std::string> out;
  for (const api::FieldError& error : result.findings.errors) out.push_back(error.to_string());
  return out;
}

Cluster cluster_of(std::string_view spec, const Recorded& recorded = {}) {
  Settled result = settle(resource("demo", spec), {}, recorded, {});
  EXPECT_EQ(text_of(result.findings), "");
  return std::move(*result.cluster);
}

TEST(Settle, golden_files_are_current) {
  for (const Example& example : examples()) {
    const auto cluster = settled(example);
    ASSERT_TRUE(cluster) << example.name;
    const std::string path = "operator/settle/" + example.name + "/cluster.txt";
    EXPECT_EQ(golden_difference(path, describe(*cluster)), "");
  }
}

TEST(Settle, the_form_with_workers_has_short_names_unless_another_cluster_has_them) {
  constexpr std::string_view kWorkers = R"({"slurmNodes":{"worker":{}}})";
  EXPECT_EQ(cluster_of(kWorkers).names.naming(), Naming::short_names);
  EXPECT_EQ(cluster_of(kWorkers).worker_sets[0].pod_name(3), "worker-3");
  const Cluster second = cluster_of(kWorkers, {.short_names_taken = true});
  EXPECT_EQ(second.names.naming(), Naming::prefixed);
  EXPECT_EQ(second.worker_sets[0].pod_name(3), "demo-worker-3");
  EXPECT_EQ(second.worker_sets[0].name, "worker");
  EXPECT_EQ(second.worker_sets[0].component, "worker");
  EXPECT_EQ(cluster_of("{}").names.naming(), Naming::prefixed);
}

TEST(Settle, a_recorded_naming_is_kept) {
  const Recorded prefixed{.naming = Naming::prefixed};
  EXPECT_EQ(cluster_of(R"({"slurmNodes":{"worker":{}}})", prefixed).names.naming(),
            Naming::prefixed);
  const Recorded is_short{.naming = Naming::short_names, .short_names_taken = true};
  EXPECT_EQ(cluster_of("{}", is_short).names.naming(), Naming::short_names);
}

TEST(Settle, any_munge_container_of_the_cluster_selects_munge) {
  EXPECT_EQ(cluster_of(R"({"slurmNodes":{"worker":{}}})").auth, conf::AuthMode::slurm);
  for (const char* component : {"controller", "login", "accounting", "worker"}) {
    const std::string spec =
        fmt::format(R"({{"slurmNodes":{{"{}":{{"munge":{{}}}}}}}})", component);
    EXPECT_EQ(cluster_of(spec).auth, conf::AuthMode::munge) << component;
  }
}

TEST(Settle, errors_of_all_node_sets_are_findings_and_there_is_no_cluster) {
  const std::vector<json::Value> sets = {resource("b", R"({"replicas":-1})"),
                                         resource("a", R"({"ephemeralNodes":true})"),
                                         resource("c", R"({"drainTimeout":"soon"})")};
  EXPECT_THAT(errors(R"({"slurmNodes":{"controller":{"size":2}}})", sets),
              ElementsAre(HasSubstr("spec.slurmNodes.controller.size: "),
                          HasSubstr("NodeSet a: spec.ephemeralNodes: "),
                          HasSubstr("NodeSet b: spec.replicas: "),
                          HasSubstr("NodeSet c: spec.drainTimeout: write a duration")));
}

TEST(Settle, fields_of_node_sets_without_effect_are_listed_with_their_node_set) {
  const std::vector<json::Value> sets = {resource("a", R"({"docker":{"enabled":false}})")};
  EXPECT_THAT(settle(resource("demo", "{}"), sets, {}, {}).findings.accepted,
              ElementsAre("NodeSet a: spec.docker"));
}

TEST(Settle, accounting_by_cgroups_is_listed_as_without_effect) {
  constexpr std::string_view kSpec =
      R"({"slurmNodes":{"accounting":{"slurmConfig":{"jobAcctGatherType":"jobacct_gather/cgroup"}}}})";
  EXPECT_THAT(settle(resource("demo", kSpec), {}, {}, {}).findings.accepted,
              ElementsAre("spec.slurmNodes.accounting.slurmConfig.jobAcctGatherType"));
}

TEST(Settle, node_sets_are_known_to_partitions) {
  constexpr std::string_view kSpec =
      R"({"partitionConfiguration":{"configType":"structured",
          "partitions":[{"name":"p","nodeSetRefs":["gpu"]}]}})";
  EXPECT_THAT(errors(kSpec, {resource("gpu", "{}")}), ElementsAre());
  EXPECT_THAT(errors(kSpec, {resource("cpu", "{}")}),
              ElementsAre(HasSubstr("there is no NodeSet \"gpu\"")));
}

TEST(Settle, anything_that_is_no_object_is_a_finding) {
  for (const char* text : {"null", "[]", "3", R"({"metadata":3})", R"({"spec":[]})"}) {
    const std::vector<json::Value> sets = {parsed(text)};
    const Settled result = settle(parsed(text), sets, {}, {});
    EXPECT_FALSE(result.findings.ok()) << text;
    EXPECT_FALSE(result.cluster) << text;
  }
}

TEST(Settle, images_and_the_domain_come_from_the_installation) {
  const Defaults defaults{.slurm_image = "r/slurm:1", .cluster_domain = "example.org"};
  const std::vector<json::Value> sets = {
      resource("a", R"({"slurmd":{"image":{"tag":"2"}},"munge":{"image":{"repository":"r/m"}}})")};
  const Settled result = settle(resource("demo", "{}"), sets, {}, defaults);
  ASSERT_TRUE(result.cluster);
  EXPECT_EQ(result.cluster->worker_sets[0].image, "r/slurm:2");
  EXPECT_EQ(result.cluster->worker_sets[0].munge_image, "r/m:1");
  EXPECT_EQ(result.cluster->names.controller_domain(), "demo-controller-svc.slurm.svc.example.org");
}

}  // namespace
}  // namespace slurmop::settle
