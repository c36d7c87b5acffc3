// SPDX-License-Identifier: Apache-2.0
#include "operator/api/generated/slurm_cluster.h"

#include "json/node.h"
#include "operator/api/generated/node_set.h"
#include "source_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace slurmop::api {
namespace {

using testing::ElementsAre;

std::string fixture(const std::string& name) {
  std::ifstream file(in_source_tree("tests/fixtures/operator/" + name));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

template <class T>
T decode(const std::string& text) {
  json::Parser parser;
  auto node = parser.parse(text);
  EXPECT_TRUE(node.ok()) << text;
  auto object = kube::decode_object<T>(*node);
  EXPECT_TRUE(object.ok()) << (object.ok() ? "" : object.error().message());
  return object.ok() ? *object : T{};
}

TEST(SlurmCluster, TheWorkerFormOfTheRequirementsIsDecoded) {
  const auto cluster = decode<SlurmCluster>(fixture("seed_worker_form.json"));
  EXPECT_EQ(cluster.metadata.name, "correct-cpu-cluster");
  ASSERT_TRUE(cluster.spec.slurmNodes.worker);
  EXPECT_EQ(cluster.spec.slurmNodes.worker->size, 2);
  EXPECT_EQ(cluster.spec.slurmNodes.worker->maxUnavailable,
            (IntOrPercent{.amount = 20, .percent = true}));
}

TEST(SlurmCluster, TheNodeFiltersOfTheRequirementsNameTheDefaultFilter) {
  const auto spec = decode<SlurmCluster>(fixture("seed_node_filters.json")).spec;
  ASSERT_EQ(spec.k8sNodeFilters.size(), 1u);
  EXPECT_EQ(spec.k8sNodeFilters[0].name, "cpu");
  EXPECT_EQ(spec.slurmNodes.controller.k8sNodeFilterName, "cpu");
  ASSERT_TRUE(spec.slurmNodes.worker);
  EXPECT_EQ(spec.slurmNodes.worker->k8sNodeFilterName, "cpu");
  EXPECT_EQ(spec.slurmNodes.login.k8sNodeFilterName, "cpu");
}

TEST(SlurmCluster, AnEmptySpecHasTheDefaultsOfTheReference) {
  const auto spec = decode<SlurmCluster>(R"({"metadata":{"name":"a"},"spec":{}})").spec;
  EXPECT_EQ(spec.cgroupVersion, "v2");
  EXPECT_EQ(spec.maintenance, "none");
  EXPECT_EQ(spec.partitionConfiguration.configType, "default");
  EXPECT_EQ(spec.slurmConfig.maxJobCount, 20000);
  EXPECT_EQ(spec.slurmConfig.minJobAge, 1800);
  EXPECT_EQ(spec.slurmConfig.topologyPlugin, "topology/tree");
  EXPECT_EQ(spec.slurmConfig.suspendTime, 1000000000);
  EXPECT_EQ(spec.mpiConfig.pmixEnv, "OMPI_MCA_btl_tcp_if_include=eth0");
  EXPECT_TRUE(spec.plugStackConfig.pyxis.required);
  EXPECT_EQ(spec.sConfigController.reconfigureWaitTimeout, "5m");
  EXPECT_FALSE(spec.slurmNodes.accounting.enabled);
  EXPECT_EQ(spec.slurmNodes.accounting.externalDB.port, 3306);
  EXPECT_EQ(spec.slurmNodes.accounting.slurmConfig.accountingStorageTRES,
            "CPU,Mem,Node,VMem,Gres/gpu");
  EXPECT_EQ(spec.slurmNodes.accounting.slurmdbdConfig.purgeJobAfter, "12month");
  EXPECT_EQ(spec.slurmNodes.accounting.slurmdbdConfig.archiveTXN, "no");
  EXPECT_TRUE(spec.slurmNodes.controller.openMetrics.enabled);
  EXPECT_EQ(spec.slurmNodes.rest.threadCount, 3);
  EXPECT_EQ(spec.slurmNodes.login.sshdServiceNodePort, 0);
  EXPECT_EQ(spec.topology.blockSize, 18);
  EXPECT_FALSE(spec.slurmNodes.worker);
  EXPECT_FALSE(spec.slurmNodes.controller.munge) << "the absence selects auth/slurm";
}

TEST(SlurmCluster, AClusterOfTheReferenceIsDecoded) {
  const auto spec = decode<SlurmCluster>(fixture("reference_cluster.json")).spec;
  ASSERT_EQ(spec.k8sNodeFilters.size(), 2u);
  EXPECT_NE(spec.k8sNodeFilters[0].affinity.find("nodeAffinity"), nullptr);
  EXPECT_EQ(spec.k8sNodeFilters[0].tolerations.size(), 1u);
  EXPECT_EQ(spec.k8sNodeFilters[1].nodeSelector.at("pool"), "cpu");
  ASSERT_EQ(spec.volumeSources.size(), 2u);
  EXPECT_EQ(spec.volumeSources[0].name, "jail");
  EXPECT_EQ(spec.volumeSources[0].content.dump(),
            R"({"persistentVolumeClaim":{"claimName":"jail-pvc"}})");
  const Controller& controller = spec.slurmNodes.controller;
  ASSERT_TRUE(controller.slurmctld && controller.munge && controller.volumes.spool);
  EXPECT_EQ(controller.slurmctld->port, 6817);
  EXPECT_EQ(controller.slurmctld->imagePullPolicy, "IfNotPresent");
  EXPECT_EQ(controller.slurmctld->resources.at("memory"), *base::Quantity::parse("3Gi"));
  EXPECT_EQ(controller.slurmctld->resources.at("cpu"), base::Quantity::units(1));
  EXPECT_EQ(controller.volumes.spool->volumeSourceName, "controller-spool");
  EXPECT_EQ(spec.slurmNodes.login.sshdServiceType, "LoadBalancer");
  EXPECT_THAT(spec.partitionConfiguration.partitions[1].nodeSetRefs, ElementsAre("gpu"));
  ASSERT_TRUE(spec.slurmNodes.accounting.mariadbOperator);
  EXPECT_EQ(spec.slurmNodes.accounting.mariadbOperator->storage.size,
            base::Quantity::parse("30Gi").value());
  EXPECT_EQ(spec.slurmNodes.accounting.slurmdbdConfig.debugLevel, "debug");
}

TEST(SlurmCluster, AWrongTypeIsAnErrorWithItsPath) {
  json::Parser parser;
  const auto object = kube::decode_object<SlurmCluster>(
      *parser.parse(R"({"spec":{"users":[{"name":"a"},{"name":7}]}})"));
  ASSERT_FALSE(object.ok());
  EXPECT_EQ(object.error().message(), "$.spec.users[1].name: expected a string, got an integer");
}

TEST(NodeSet, NodeSetsOfTheReferenceAreDecoded) {
  const auto list = json::parse(fixture("reference_node_sets.json"));
  ASSERT_TRUE(list.ok());
  const json::Array& items = *list->find("items")->as_array();
  const auto gpu = decode<NodeSet>(items[0].dump());
  EXPECT_EQ(gpu.spec.replicas, 4);
  EXPECT_EQ(gpu.spec.slurmd.image.repository, "registry.example.com/worker_slurmd");
  EXPECT_EQ(gpu.spec.slurmd.resources.at("nvidia.com/gpu").value(), 8);
  EXPECT_EQ(gpu.spec.slurmd.volumes.sharedMemorySize, base::Quantity::parse("1Ti").value());
  EXPECT_EQ(gpu.spec.nodeConfig.static_, "Gres=gpu:h100:8 NodeCPUs=128");
  EXPECT_EQ(gpu.spec.maxUnavailable, IntOrPercent{.amount = 500});
  EXPECT_TRUE(gpu.spec.munge);

  const auto cpu = decode<NodeSet>(items[1].dump());
  EXPECT_EQ(cpu.spec.replicas, 1);
  EXPECT_EQ(cpu.spec.slurmd.port, 6818);
  EXPECT_EQ(cpu.spec.slurmd.volumes.sharedMemorySize.to_string(), "64Gi");
  EXPECT_EQ(cpu.spec.updateStrategy, "rollingUpdate");
  EXPECT_TRUE(cpu.spec.docker.enabled);
  EXPECT_EQ(cpu.spec.maxUnavailable.of(3), 2);
}

TEST(NodeSet, APercentageOfWorkersIsRoundedUp) {
  EXPECT_EQ((IntOrPercent{.amount = 20, .percent = true}.of(4)), 1);
  EXPECT_EQ((IntOrPercent{.amount = 0, .percent = true}.of(4)), 0);
  EXPECT_EQ((IntOrPercent{.amount = 100, .percent = true}.of(4)), 4);
  EXPECT_EQ(IntOrPercent{.amount = 3}.of(2), 3);
}

TEST(Resources, AreThoseOfTheReference) {
  EXPECT_EQ(kube::resource_of<SlurmCluster>().api_version(), "slurm.nebius.ai/v1");
  EXPECT_EQ(kube::resource_of<SlurmCluster>().plural, "slurmclusters");
  EXPECT_EQ(kube::resource_of<NodeSet>().api_version(), "slurm.nebius.ai/v1alpha1");
  EXPECT_EQ(kube::resource_of<NodeSet>().plural, "nodesets");
}

}  // namespace
}  // namespace slurmop::api
