// SPDX-License-Identifier: Apache-2.0
#include "operator/api/validate.h"

#include "json/value.h"
#include "source_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace slurmop::api {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

json::Value fixture(const std::string& name) {
  std::ifstream file(in_source_tree("tests/fixtures/operator/" + name));
  std::ostringstream text;
  text << file.rdbuf();
  return json::parse(text.str()).value();
}

json::Value object(std::string_view spec, std::string_view name = "a") {
  json::Value found = json::parse(R"({"metadata":{},"spec":{}})").value();
  found.as_object()->set("metadata", json::Object{{"name", name}});
  found.as_object()->set("spec", json::parse(spec).value());
  return found;
}

std::string text_of(const Findings& findings) {
  std::string text;
  for (const FieldError& error : findings.errors) text += error.to_string() + "\n";
  return text;
}

TEST(Validate, TheResourcesOfTheRequirementsAreValid) {
  for (const char* name : {"seed_worker_form.json", "seed_node_filters.json"}) {
    const Findings findings = validate_slurm_cluster(fixture(name), std::set<std::string>{});
    EXPECT_EQ(text_of(findings), "") << name;
  }
  EXPECT_THAT(validate_slurm_cluster(fixture("seed_worker_form.json"), {}).accepted, IsEmpty());
}

TEST(Validate, AClusterOfTheReferenceIsValidAndItsFieldsWithoutEffectAreListed) {
  const Findings findings =
      validate_slurm_cluster(fixture("reference_cluster.json"), std::set<std::string>{"gpu"});
  EXPECT_EQ(text_of(findings), "");
  EXPECT_THAT(findings.accepted,
              ElementsAre("spec.crVersion",
                          "spec.populateJail",
                          "spec.sConfigController",
                          "spec.slurmNodes.controller.volumes.jail",
                          "spec.slurmNodes.exporter",
                          "spec.slurmNodes.login.volumes.jail",
                          "spec.slurmNodes.login.volumes.jailSubMounts",
                          "spec.slurmNodes.rest.size"));
}

TEST(Validate, DefaultsThatTheServerAddedAreNotListed) {
  const Findings findings = validate_slurm_cluster(
      object(R"({"maintenance":"none","plugStackConfig":{"customPlugins":[],"pyxis":
                 {"required":true,"useSquashfuse":false}},"topology":{"blockSize":18}})"),
      {});
  EXPECT_EQ(text_of(findings), "");
  EXPECT_THAT(findings.accepted, IsEmpty());
}

struct Row {
  std::string_view spec;
  std::string_view field;
  std::string_view message;  // a part of it
};

// JSON escapes: \u000a is a line break, \u0000 is NUL.
const Row kRows[] = {
    {R"({"slurmNodes":{"login":{"k8sNodeFilterName":"cup"}}})",
     "spec.slurmNodes.login.k8sNodeFilterName",
     R"(there is no filter "cup" in spec.k8sNodeFilters; did you mean "cpu"?)"},
    {R"({"k8sNodeFilters":[],"slurmNodes":{"worker":{"k8sNodeFilterName":"cpu"}}})",
     "spec.slurmNodes.worker.k8sNodeFilterName",
     "add it or correct the name"},
    {R"({"k8sNodeFilters":[{"name":"a"},{"name":"a"}]})",
     "spec.k8sNodeFilters[1].name",
     "appears twice"},
    {R"({"slurmNodes":{"controller":{"volumes":{"spool":{"volumeSourceName":"x"}}}}})",
     "spec.slurmNodes.controller.volumes.spool.volumeSourceName",
     R"(there is no volume source "x" in spec.volumeSources)"},
    {R"({"volumeSources":[{"name":"x"}],"slurmNodes":{"login":{"volumes":{"customMounts":
        [{"name":"m","mountPath":"/m","volumeSourceName":"x"},
         {"name":"n","mountPath":"/n","volumeSourceName":"y"}]}}}})",
     "spec.slurmNodes.login.volumes.customMounts[1].volumeSourceName",
     R"(no volume source "y")"},
    {R"({"home":{}})", "spec.home", "exactly one of"},
    {R"({"volumeSources":[{"name":"x"}],
        "home":{"volumeSourceName":"x","volumeClaimTemplateSpec":{}}})",
     "spec.home",
     "exactly one of"},
    {R"({"slurmConfig":{"prolog":"/a\u000aSlurmUser=root"}})",
     "spec.slurmConfig.prolog",
     "one word"},
    {R"({"slurmConfig":{"epilog":"/a\u0000b"}})", "spec.slurmConfig.epilog", "one word"},
    {R"({"slurmConfig":{"taskPluginParam":"a SlurmUser=root"}})",
     "spec.slurmConfig.taskPluginParam",
     "one word"},
    {R"({"slurmNodes":{"accounting":{"externalDB":{"storageParameters":{"a b":"c"}}}}})",
     "spec.slurmNodes.accounting.externalDB.storageParameters",
     "use only letters"},
    {R"({"customSlurmConfig":"MaxArraySize=5\u000aClusterName=x"})",
     "spec.customSlurmConfig",
     "line 2: ClusterName is set by the operator; remove the line"},
    {R"({"customSlurmConfig":"PartitionName=p Nodes=cpus"})",
     "spec.customSlurmConfig",
     R"(line 1: Nodes: "cpus" is neither ALL nor a NodeSet)"},
    {R"({"customSlurmConfig":"PartitionName=main Nodes=gpu"})",
     "spec.customSlurmConfig",
     "line 1: partition main is defined by spec.partitionConfiguration"},
    {R"({"customSlurmConfig":"PartitionName=p Nodes=gpu Default=YES"})",
     "spec.customSlurmConfig",
     "line 1: partition p cannot be the default"},
    {R"({"partitionConfiguration":{"configType":"custom",
        "rawConfig":["PartitionName=a Nodes=gpu","PartitionName=b Nodes=cpu"]}})",
     "spec.partitionConfiguration.rawConfig[1]",
     R"(Nodes: "cpu" is neither ALL nor a NodeSet)"},
    {R"({"customSlurmConfig":"PartitionName=a Nodes=ALL","partitionConfiguration":
        {"configType":"custom","rawConfig":["PartitionName=a Nodes=gpu"]}})",
     "spec.customSlurmConfig",
     "line 1: partition a is defined by spec.partitionConfiguration"},
    {R"({"partitionConfiguration":{"configType":"structured","partitions":
        [{"name":"a","isAll":true,"config":"Default=YES"},
         {"name":"b","isAll":true,"config":"default=yes"}]}})",
     "spec.partitionConfiguration.partitions[1].config",
     "partition a is the default already"},
    {R"({"partitionConfiguration":{"configType":"structured"}})",
     "spec.partitionConfiguration.partitions",
     "at least one partition"},
    {R"({"partitionConfiguration":{"configType":"custom"}})",
     "spec.partitionConfiguration.rawConfig",
     "at least one line"},
    {R"({"partitionConfiguration":{"configType":"structured","partitions":[{"name":"p"}]}})",
     "spec.partitionConfiguration.partitions[0].nodeSetRefs",
     "the partition has no NodeSet"},
    {R"({"partitionConfiguration":{"configType":"structured","partitions":
        [{"name":"p","nodeSetRefs":["gpus"]}]}})",
     "spec.partitionConfiguration.partitions[0].nodeSetRefs[0]",
     R"(there is no NodeSet "gpus" in this cluster; did you mean "gpu"?)"},
    {R"({"partitionConfiguration":{"configType":"structured","partitions":
        [{"name":"p","nodeSetRefs":["worker"]}]}})",
     "spec.partitionConfiguration.partitions[0].nodeSetRefs[0]",
     R"(no NodeSet "worker")"},
    {R"({"partitionConfiguration":{"configType":"structured","partitions":
        [{"name":"p","isAll":true,"nodeSetRefs":["gpu"]}]}})",
     "spec.partitionConfiguration.partitions[0].nodeSetRefs",
     "remove one of both"},
    {R"({"partitionConfiguration":{"rawConfig":["NodeName=a"]}})",
     "spec.partitionConfiguration.rawConfig[0]",
     "begins with PartitionName="},
    {R"({"maintenance":"downscale"})", "spec.maintenance", "not supported; write none"},
    {R"({"slurmNodes":{"accounting":{"mariadbOperator":{"replication":{"enabled":true}}}}})",
     "spec.slurmNodes.accounting.mariadbOperator.replication",
     "use externalDB"},
    {R"({"slurmNodes":{"accounting":{"externalDB":{"enabled":true,"host":"db"}}}})",
     "spec.slurmNodes.accounting.externalDB",
     "needs host, user"},
    {R"({"slurmNodes":{"login":{"sshdServiceNodePort":32768}}})",
     "spec.slurmNodes.login.sshdServiceNodePort",
     "outside of 30000-32767"},
    {R"({"slurmNodes":{"controller":{"size":2}}})",
     "spec.slurmNodes.controller.size",
     "one slurmctld"},
    {R"({"slurmNodes":{"worker":{"size":10001}}})",
     "spec.slurmNodes.worker.size",
     "10001 is too large; at most 10000"},
    {R"({"slurmNodes":{"worker":{"size":-1}}})",
     "spec.slurmNodes.worker.size",
     "-1 is too small; at least 0"},
    {R"({"slurmNodes":{"worker":{"maxUnavailable":"120%"}}})",
     "spec.slurmNodes.worker.maxUnavailable",
     "a percentage such as 20%"},
    {R"({"slurmNodes":{"worker":{"maxUnavailable":"many"}}})",
     "spec.slurmNodes.worker.maxUnavailable",
     "expected a number or a percentage"},
    {R"({"slurmNodes":{"worker":{"size":"two"}}})",
     "spec.slurmNodes.worker.size",
     "expected an integer, got a string"},
    {R"({"users":[{"name":"root"}]})", "spec.users[0].name", "an account of the system"},
    {R"({"users":[{"name":"slurmrest"}]})", "spec.users[0].name", "an account of the system"},
    {R"({"users":[{"name":"a:0:0"}]})", "spec.users[0].name", "use lower-case letters"},
    {R"({"users":[{"name":"a","uid":1000},{"name":"b","uid":1000}]})",
     "spec.users[1].uid",
     R"(1000 is the uid of "a")"},
    {R"({"users":[{"name":"a","uid":0}]})", "spec.users[0].uid", "0 is too small"},
    {R"({"users":[{"name":"a","sshPublicKeys":["x\u000ay"]}]})",
     "spec.users[0].sshPublicKeys[0]",
     "line breaks"},
};

TEST(Validate, EachInvalidSpecHasExactlyItsError) {
  for (const Row& row : kRows) {
    const Findings findings =
        validate_slurm_cluster(object(row.spec), std::set<std::string>{"gpu"});
    SCOPED_TRACE(std::string(row.spec) + "\n" + text_of(findings));
    ASSERT_EQ(findings.errors.size(), 1u);
    EXPECT_EQ(findings.errors[0].field, row.field);
    EXPECT_THAT(findings.errors[0].message, testing::HasSubstr(std::string(row.message)));
  }
}

TEST(Validate, ReferencesToNodeSetsAreNotCheckedWhileTheyAreUnknown) {
  const auto cluster = object(
      R"({"partitionConfiguration":{"configType":"structured","partitions":
          [{"name":"p","nodeSetRefs":["later"]}]}})");
  EXPECT_EQ(text_of(validate_slurm_cluster(cluster, std::nullopt)), "");
}

TEST(Validate, RawPartitionsMayUseNodeSetsOfTheCustomConfiguration) {
  const auto cluster = object(
      R"({"customSlurmConfig":"NodeSet=large Feature=large","partitionConfiguration":
          {"configType":"custom","rawConfig":["PartitionName=a Nodes=large Default=YES"]}})");
  EXPECT_EQ(text_of(validate_slurm_cluster(cluster, std::set<std::string>{})), "");
}

TEST(Validate, TheWorkersOfTheClusterAreANodeSetForPartitions) {
  const auto cluster = object(
      R"({"slurmNodes":{"worker":{}},"partitionConfiguration":{"configType":"structured",
          "partitions":[{"name":"p","nodeSetRefs":["worker"]}]}})");
  EXPECT_EQ(text_of(validate_slurm_cluster(cluster, std::set<std::string>{})), "");
}

TEST(Validate, NamesFromWhichNoPodNameCanBeMadeAreErrors) {
  for (const std::string& name : {std::string(41, 'a'),
                                  std::string("1a"),
                                  std::string("a.b"),
                                  std::string("a-"),
                                  std::string("A"),
                                  std::string()}) {
    const Findings findings = validate_slurm_cluster(object("{}", name), {});
    ASSERT_EQ(findings.errors.size(), 1u) << name;
    EXPECT_EQ(findings.errors[0].field, "metadata.name");
    EXPECT_EQ(validate_node_set(object("{}", name)).errors.size(), 1u) << name;
  }
  EXPECT_TRUE(validate_slurm_cluster(object("{}", std::string(40, 'a')), {}).ok());
}

TEST(Validate, AnythingThatIsNotAnObjectIsAnErrorAndNoCrash) {
  for (const char* text : {"null", "[]", "3", R"("x")", R"({"metadata":3})", R"({"spec":[]})"}) {
    EXPECT_FALSE(validate_slurm_cluster(json::parse(text).value(), {}).ok()) << text;
    EXPECT_FALSE(validate_node_set(json::parse(text).value()).ok()) << text;
  }
}

TEST(Validate, NodeSetsOfTheReferenceAreValid) {
  const json::Value list = fixture("reference_node_sets.json");
  const json::Array& items = *list.find("items")->as_array();
  const Findings gpu = validate_node_set(items[0]);
  EXPECT_EQ(text_of(gpu), "");
  EXPECT_THAT(gpu.accepted, ElementsAre("spec.slurmd.volumes.jail"));
  EXPECT_EQ(text_of(validate_node_set(items[1])), "");
}

const Row kNodeSetRows[] = {
    {R"({"ephemeralNodes":true})", "spec.ephemeralNodes", "write false and change replicas"},
    {R"({"replicas":1000,"maxUnavailable":"60%"})", "spec.maxUnavailable", "more than 500"},
    {R"({"maxUnavailable":501})", "spec.maxUnavailable", "at most 500"},
    {R"({"maxUnavailable":"-1%"})", "spec.maxUnavailable", "a percentage such as 20%"},
    {R"({"replicas":-1})", "spec.replicas", "too small"},
    {R"({"nodeConfig":{"static":"NodeName=x"}})", "spec.nodeConfig.static", "set by the operator"},
    {R"({"nodeConfig":{"static":"CPUs=1\u000aNodeName=x"}})", "spec.nodeConfig.static", "one line"},
    {R"({"nodeConfig":{"features":["a","b,c"]}})", "spec.nodeConfig.features[1]", "use only"},
    {R"({"clusterName":"cccccccccccccccccccccccccccccccccccccccccccccccccc"})",
     "spec.clusterName",
     "too large"},
};

TEST(Validate, EachInvalidNodeSetHasItsError) {
  for (const Row& row : kNodeSetRows) {
    const Findings findings = validate_node_set(object(row.spec));
    SCOPED_TRACE(std::string(row.spec) + "\n" + text_of(findings));
    ASSERT_FALSE(findings.ok());
    EXPECT_EQ(findings.errors[0].field, row.field);
    EXPECT_THAT(findings.errors[0].message, testing::HasSubstr(std::string(row.message)));
  }
  EXPECT_FALSE(validate_node_set(object("{}", "all")).ok());
  EXPECT_FALSE(
      validate_node_set(
          object(R"({"clusterName":"a-cluster-with-a-long-name-of-40-letters"})", "eleven-char"))
          .ok());
}

}  // namespace
}  // namespace slurmop::api
