// SPDX-License-Identifier: Apache-2.0
// Hostile values in every string of the resources that reaches a configuration file.
#include "json/patch.h"
#include "operator/conf/testing_hostile.h"
#include "operator/parts/parts.h"
#include "operator/settle/testing_resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace slurmop::parts {
namespace {

// A cluster with a value at every such place.
json::Value full_cluster() {
  return settle::resource("demo", R"({
    "customSlurmConfig": "KillWait=9",
    "customCgroupConfig": "ConstrainCores=no",
    "healthCheckConfig": {"healthCheckInterval": 60, "healthCheckProgram": "/bin/a",
                          "healthCheckNodeState": [{"state": "ANY"}]},
    "partitionConfiguration": {
      "configType": "structured", "rawConfig": ["PartitionName=r Nodes=ALL"],
      "partitions": [{"name": "p", "nodeSetRefs": ["gpu"], "config": "MaxTime=60"}]},
    "plugStackConfig": {"customPlugins": [{"path": "/a.so", "arguments": {"a": "1"}}]},
    "slurmConfig": {"prolog": "/a", "epilog": "/b", "taskProlog": "/c", "taskPluginParam": "Verbose"},
    "slurmNodes": {"accounting": {
      "enabled": true,
      "externalDB": {"enabled": true, "host": "db", "user": "acct",
                     "passwordSecretKeyRef": {"name": "a", "key": "b"},
                     "storageParameters": {"SSL_CA": "/ca"}},
      "slurmConfig": {"accountingStorageTRES": "CPU", "accountingStoreFlags": "job_comment",
                      "acctGatherFilesystemType": "acct_gather_filesystem/lustre",
                      "acctGatherInterconnectType": "acct_gather_interconnect/sysfs",
                      "acctGatherProfileType": "acct_gather_profile/none",
                      "jobAcctGatherParams": "UsePss", "priorityWeightTRES": "CPU=1"},
      "slurmdbdConfig": {"archiveJobs": "yes", "purgeJobAfter": "1month", "debugFlags": "DB_JOB",
                         "debugLevel": "info", "privateData": "jobs"}}}})");
}

constexpr std::string_view kPlaces[] = {
    "/metadata/name",
    "/metadata/namespace",
    "/spec/customSlurmConfig",
    "/spec/customCgroupConfig",
    "/spec/healthCheckConfig/healthCheckProgram",
    "/spec/healthCheckConfig/healthCheckNodeState/0/state",
    "/spec/partitionConfiguration/rawConfig/0",
    "/spec/partitionConfiguration/partitions/0/name",
    "/spec/partitionConfiguration/partitions/0/nodeSetRefs/0",
    "/spec/partitionConfiguration/partitions/0/config",
    "/spec/plugStackConfig/customPlugins/0/path",
    "/spec/plugStackConfig/customPlugins/0/arguments/a",
    "/spec/slurmConfig/prolog",
    "/spec/slurmConfig/epilog",
    "/spec/slurmConfig/taskProlog",
    "/spec/slurmConfig/taskPluginParam",
    "/spec/slurmNodes/accounting/externalDB/host",
    "/spec/slurmNodes/accounting/externalDB/user",
    "/spec/slurmNodes/accounting/externalDB/storageParameters/SSL_CA",
    "/spec/slurmNodes/accounting/slurmConfig/accountingStorageTRES",
    "/spec/slurmNodes/accounting/slurmConfig/accountingStoreFlags",
    "/spec/slurmNodes/accounting/slurmConfig/acctGatherFilesystemType",
    "/spec/slurmNodes/accounting/slurmConfig/acctGatherInterconnectType",
    "/spec/slurmNodes/accounting/slurmConfig/acctGatherProfileType",
    "/spec/slurmNodes/accounting/slurmConfig/jobAcctGatherParams",
    "/spec/slurmNodes/accounting/slurmConfig/priorityWeightTRES",
    "/spec/slurmNodes/accounting/slurmdbdConfig/archiveJobs",
    "/spec/slurmNodes/accounting/slurmdbdConfig/purgeJobAfter",
    "/spec/slurmNodes/accounting/slurmdbdConfig/debugFlags",
    "/spec/slurmNodes/accounting/slurmdbdConfig/debugLevel",
    "/spec/slurmNodes/accounting/slurmdbdConfig/privateData",
};

json::Value replaced(const json::Value& document, std::string_view place, const std::string& text) {
  json::JsonPatch patch;
  patch.replace(std::string(place), text);
  auto result = json::json_patched(document, json::Value(std::move(patch).operations()));
  EXPECT_TRUE(result.ok()) << place;
  return result.ok() ? *result : document;
}

// Whether the resources are valid and all files can be rendered.
bool renders(const json::Value& cluster,
             const std::vector<json::Value>& node_sets,
             const settle::Defaults& defaults = {}) {
  const settle::Settled result = settle::settle(cluster, node_sets, {}, defaults);
  if (!result.cluster) return false;
  return slurm_files(*result.cluster).ok() && rest_slurm_conf(*result.cluster).ok() &&
         slurmdbd_conf(*result.cluster).ok() && sshd_config(*result.cluster).ok();
}

const std::vector<json::Value>& sets() {
  static const std::vector<json::Value> kSets = {settle::resource("gpu", "{}")};
  return kSets;
}

TEST(ConfigHostile, the_example_itself_is_rendered) {
  const settle::Settled result = settle::settle(full_cluster(), sets(), {}, {});
  EXPECT_EQ(settle::text_of(result.findings), "");
  EXPECT_TRUE(renders(full_cluster(), sets()));
}

TEST(ConfigHostile, a_hostile_value_is_refused_at_every_place) {
  for (const std::string_view place : kPlaces) {
    for (const std::string& hostile : conf::hostile_values()) {
      EXPECT_FALSE(renders(replaced(full_cluster(), place, hostile), sets()))
          << place << " accepts " << hostile;
    }
  }
}

TEST(ConfigHostile, hostile_lines_of_raw_partitions_are_refused) {
  json::Value custom =
      replaced(full_cluster(), "/spec/partitionConfiguration/configType", "custom");
  ASSERT_TRUE(renders(custom, sets()));
  for (const std::string& hostile : conf::hostile_values()) {
    const std::string line = "PartitionName=" + hostile;
    EXPECT_FALSE(
        renders(replaced(custom, "/spec/partitionConfiguration/rawConfig/0", line), sets()))
        << line;
  }
}

TEST(ConfigHostile, hostile_names_of_arguments_are_refused) {
  for (const std::string& hostile : conf::hostile_values()) {
    json::JsonPatch plugin;
    plugin.replace("/spec/plugStackConfig/customPlugins/0/arguments", json::Object{{hostile, "1"}});
    json::JsonPatch storage;
    storage.replace("/spec/slurmNodes/accounting/externalDB/storageParameters",
                    json::Object{{hostile, "1"}});
    for (json::JsonPatch* patch : {&plugin, &storage}) {
      const auto changed = json::json_patched(full_cluster(), json::Value(patch->operations()));
      ASSERT_TRUE(changed.ok());
      EXPECT_FALSE(renders(*changed, sets())) << hostile;
    }
  }
}

TEST(ConfigHostile, hostile_names_of_node_sets_and_of_the_domain_are_refused) {
  for (const std::string& hostile : conf::hostile_values()) {
    const std::vector<json::Value> more = {sets()[0], settle::resource(hostile, "{}")};
    EXPECT_FALSE(renders(full_cluster(), more)) << hostile;
    EXPECT_FALSE(renders(full_cluster(), sets(), {.cluster_domain = hostile})) << hostile;
  }
}

}  // namespace
}  // namespace slurmop::parts
