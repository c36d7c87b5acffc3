// SPDX-License-Identifier: Apache-2.0
#include "golden.h"
#include "operator/parts/config_slurm.h"
#include "operator/parts/parts.h"
#include "operator/settle/testing_resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace slurmop::parts {
namespace {

using settle::resource;
using ::testing::HasSubstr;
using ::testing::Not;

std::string content(const base::Result<conf::File>& file) {
  return file.ok() ? std::string(file->reveal()) : "error: " + file.error().message();
}

// The content of one file of slurmctld, or its error.
std::string file_of(const Cluster& cluster, std::string_view name) {
  const auto files = slurm_files(cluster);
  if (!files.ok()) return "error: " + files.error().message();
  for (const conf::File& file : files->files) {
    if (file.name() == name) return std::string(file.reveal());
  }
  return "no file";
}

Cluster cluster_of(std::string_view spec, const std::vector<json::Value>& node_sets = {}) {
  settle::Settled result = settle::settle(resource("demo", spec), node_sets, {}, {});
  EXPECT_EQ(settle::text_of(result.findings), "");
  return std::move(*result.cluster);
}

std::string slurm_conf(std::string_view spec, const std::vector<json::Value>& node_sets = {}) {
  return file_of(cluster_of(spec, node_sets), "slurm.conf");
}

TEST(Config, golden_files_are_current) {
  for (const settle::Example& example : settle::examples()) {
    const auto cluster = settle::settled(example);
    ASSERT_TRUE(cluster) << example.name;
    const std::string folder = "operator/settle/" + example.name + "/";
    const auto files = slurm_files(*cluster);
    ASSERT_TRUE(files.ok()) << files.error().message();
    for (const conf::File& file : files->files) {
      EXPECT_EQ(golden_difference(folder + file.name(), file.reveal()), "");
    }
    EXPECT_EQ(golden_difference(folder + "rest.slurm.conf", content(rest_slurm_conf(*cluster))),
              "");
    EXPECT_EQ(golden_difference(folder + "sshd_config", content(sshd_config(*cluster))), "");
    if (!cluster->has_accounting()) continue;
    EXPECT_EQ(golden_difference(folder + "slurmdbd.conf", content(slurmdbd_conf(*cluster))), "");
  }
}

TEST(Config, the_hash_covers_every_file) {
  const auto hash = [](std::string_view spec) { return slurm_files(cluster_of(spec))->hash; };
  EXPECT_EQ(hash("{}").size(), 64U);
  EXPECT_EQ(hash("{}"), hash("{}"));
  EXPECT_NE(hash("{}"), hash(R"({"customSlurmConfig":"KillWait=9"})"));
  EXPECT_NE(hash("{}"), hash(R"({"customCgroupConfig":"ConstrainCores=no"})"));
  EXPECT_NE(hash("{}"), hash(R"({"plugStackConfig":{"customPlugins":[{"path":"/a.so"}]}})"));
}

TEST(Config, a_change_of_the_size_does_not_change_the_files) {
  EXPECT_EQ(slurm_conf(R"({"slurmNodes":{"worker":{"size":2}}})"),
            slurm_conf(R"({"slurmNodes":{"worker":{"size":4}}})"));
}

TEST(Config, twice_as_many_nodes_as_workers_may_register) {
  const auto most = [](int size) {
    return slurm_conf(fmt::format(R"({{"slurmNodes":{{"worker":{{"size":{}}}}}}})", size));
  };
  EXPECT_THAT(most(0), HasSubstr("\nMaxNodeCount=1024\n"));
  EXPECT_THAT(most(512), HasSubstr("\nMaxNodeCount=1024\n"));
  EXPECT_THAT(most(513), HasSubstr("\nMaxNodeCount=2048\n"));
  EXPECT_THAT(most(10000), HasSubstr("\nMaxNodeCount=32768\n"));
  const std::vector<json::Value> sets = {resource("a", R"({"replicas":10000})"),
                                         resource("b", R"({"replicas":10000})"),
                                         resource("c", R"({"replicas":10000})"),
                                         resource("d", R"({"replicas":10000})")};
  EXPECT_THAT(slurm_conf("{}", sets), HasSubstr("\nMaxNodeCount=65536\n"));
}

TEST(Config, without_a_partition_configuration_there_are_two_partitions_of_all_nodes) {
  const std::string text = slurm_conf(R"({"slurmNodes":{"worker":{}}})");
  EXPECT_THAT(text, HasSubstr("\nNodeSet=worker Feature=worker\n"));
  EXPECT_THAT(text, HasSubstr("\nPartitionName=main Nodes=ALL Default=YES "));
  EXPECT_THAT(text, HasSubstr("\nPartitionName=hidden Nodes=ALL "));
  EXPECT_THAT(text, Not(HasSubstr("PartitionName=batch")));
}

TEST(Config, a_partition_named_batch_needs_a_structured_configuration) {
  EXPECT_THAT(slurm_conf(R"({"slurmNodes":{"worker":{}},"partitionConfiguration":
                {"configType":"structured","partitions":[{"name":"batch","isAll":true}]}})"),
              HasSubstr("\nPartitionName=batch Nodes=ALL State=UP\n"));
}

TEST(Config, usage_is_measured_so_that_sstat_shows_it) {
  for (const char* type : {"none", "linux", "cgroup"}) {
    const std::string spec = fmt::format(
        R"({{"slurmNodes":{{"accounting":{{"enabled":true,"slurmConfig":
            {{"jobAcctGatherType":"jobacct_gather/{}"}}}}}}}})",
        type);
    EXPECT_THAT(slurm_conf(spec), HasSubstr("\nJobAcctGatherType=jobacct_gather/linux\n")) << type;
  }
  EXPECT_THAT(slurm_conf(R"({"customSlurmConfig":"JobAcctGatherType=jobacct_gather/none"})"),
              HasSubstr("\nJobAcctGatherType=jobacct_gather/none\n"));
}

TEST(Config, nothing_about_topology_and_power_saving_is_written) {
  const std::string text = slurm_conf(
      R"({"slurmConfig":{"topologyPlugin":"topology/block","suspendTime":5,"resumeTimeout":9}})");
  EXPECT_THAT(text, Not(HasSubstr("Topology")));
  EXPECT_THAT(text, Not(HasSubstr("Suspend")));
  EXPECT_THAT(text, Not(HasSubstr("Resume")));
}

TEST(Config, gpus_are_announced_if_a_node_set_has_them) {
  EXPECT_THAT(slurm_conf("{}"), Not(HasSubstr("GresTypes")));
  const std::vector<json::Value> enabled = {resource("g", R"({"gpu":{"enabled":true}})")};
  EXPECT_THAT(slurm_conf("{}", enabled), HasSubstr("\nGresTypes=gpu\n"));
  EXPECT_THAT(slurm_conf("{}", enabled), HasSubstr("\nDefCPUPerGPU=4\n"));
  EXPECT_THAT(file_of(cluster_of("{}", enabled), "gres.conf"), HasSubstr("AutoDetect=nvidia"));
  const std::vector<json::Value> counted = {
      resource("g", R"({"nodeConfig":{"static":"Gres=gpu:2"}})")};
  EXPECT_THAT(slurm_conf("{}", counted), HasSubstr("\nGresTypes=gpu\n"));
  EXPECT_THAT(file_of(cluster_of("{}", counted), "gres.conf"), Not(HasSubstr("AutoDetect")));
}

TEST(Config, the_file_of_slurmrestd_does_not_depend_on_the_custom_configuration) {
  const std::string text = content(rest_slurm_conf(cluster_of("{}")));
  EXPECT_EQ(text,
            content(rest_slurm_conf(cluster_of(
                R"({"customSlurmConfig":"KillWait=9","slurmConfig":{"messageTimeout":9}})"))));
  EXPECT_THAT(text, HasSubstr("\nAuthAltTypes=auth/jwt\n"));
}

TEST(Config, problems_of_custom_lines_name_field_and_line) {
  Cluster cluster = cluster_of("{}");
  cluster.resource.spec.customSlurmConfig = "KilWait=1\nPartitionName=p Nodes=gone";
  const std::string text = file_of(cluster, "slurm.conf");
  EXPECT_THAT(text, HasSubstr("error: spec.customSlurmConfig line 1: unknown key \"KilWait\""));
  EXPECT_THAT(text, HasSubstr("; spec.customSlurmConfig line 2: Nodes: \"gone\" is neither"));
}

}  // namespace
}  // namespace slurmop::parts
