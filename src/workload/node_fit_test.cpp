// SPDX-License-Identifier: Apache-2.0
#include "workload/node_fit.h"

#include "workload/testing.h"
#include "workload/wellknown.h"

#include <gtest/gtest.h>

namespace workload {
namespace {

using testing::q;
using Why = std::optional<std::string>;

const kube::ResourceList kAsked{{"cpu", q("2")}, {"memory", q("4Gi")}};

kube::Node sample() {
  kube::Node node;
  node.metadata.name = "n1";
  node.metadata.labels = {{"zone", "a"}};
  node.status.allocatable = {{"cpu", q("8")},
                             {"memory", q("16Gi")},
                             {"ephemeral-storage", q("10Gi")},
                             {"nvidia.com/gpu", q("2")},
                             {"pods", q("3")}};
  node.status.conditions = {{"Ready", "True", "", "", ""}};
  return node;
}

NodeRoom room(const kube::ResourceList& taken = {}, std::int64_t pods = 0) {
  return {sample().status.allocatable, taken, pods};
}

Why never(const kube::Pod& pod, const kube::Node& node) {
  return never_fits(pod, kAsked, node, room());
}

kube::Pod with_affinity(kube::NodeSelector nodes) {
  kube::Pod pod;
  pod.spec.affinity.emplace()
      .nodeAffinity.emplace()
      .requiredDuringSchedulingIgnoredDuringExecution = std::move(nodes);
  return pod;
}

TEST(NeverFits, ANodeThatTheSelectorDoesNotMean) {
  kube::Pod pod;
  pod.spec.nodeSelector = {{"zone", "a"}};
  EXPECT_EQ(never(pod, sample()), std::nullopt);
  pod.spec.nodeSelector = {{"zone", "b"}};
  EXPECT_EQ(never(pod, sample()), "nodeSelector requires zone=b");
  pod.spec.nodeSelector = {{"disk", ""}};
  EXPECT_EQ(never(pod, sample()), "nodeSelector requires disk=");
}

TEST(NeverFits, ANodeThatTheAffinityDoesNotMean) {
  EXPECT_EQ(never(with_affinity({{{{{"zone", "In", {"a"}}}, {}}}}), sample()), std::nullopt);
  EXPECT_EQ(never(with_affinity({{{{{"zone", "In", {"b"}}}, {}}}}), sample()),
            "node affinity requires zone In [b]");
  kube::Pod preferring;
  preferring.spec.affinity.emplace().nodeAffinity.emplace();
  EXPECT_EQ(never(preferring, sample()), std::nullopt);
}

TEST(NeverFits, ANodeWithATaintThatStays) {
  kube::Node node = sample();
  node.spec.taints = {{"team", "x", "NoSchedule"}};
  EXPECT_EQ(never({}, node), "the node has the taint team=x:NoSchedule");
  kube::Pod tolerant;
  tolerant.spec.tolerations = {{"team", "Exists", "", "", {}}};
  EXPECT_EQ(never(tolerant, node), std::nullopt);
  node.spec.taints[0].effect = "PreferNoSchedule";
  EXPECT_EQ(never({}, node), std::nullopt);
}

TEST(NeverFits, WhatPassesIsNoReason) {
  kube::Pod ours;
  ours.spec.schedulerName = "slurm-bridge-scheduler";
  kube::Node node = sample();
  node.spec.unschedulable = true;
  node.status.conditions[0].status = "Unknown";
  node.spec.taints = {{"node.kubernetes.io/unreachable", "", "NoExecute"},
                      {"node.kubernetes.io/unschedulable", "", "NoSchedule"},
                      {kTaintKey, "slurm-bridge-scheduler", "NoExecute"}};
  EXPECT_EQ(never(ours, node), std::nullopt);
}

TEST(NeverFits, ANodeOfAnotherBridge) {
  kube::Node node = sample();
  node.spec.taints = {{kTaintKey, "another-scheduler", "NoExecute"}};
  kube::Pod ours;
  ours.spec.schedulerName = "slurm-bridge-scheduler";
  EXPECT_EQ(never(ours, node),
            "the node has the taint slinky.slurm.net/managed-node=another-scheduler:NoExecute");
}

TEST(NeverFits, ANodeWhereTheOthersLeaveTooLittle) {
  struct Row {
    kube::ResourceList asked;
    kube::ResourceList taken;
    std::int64_t pods;
    Why why;
  };
  const Row kRows[] = {
      {{{"cpu", q("8")}, {"memory", q("16Gi")}}, {}, 0, std::nullopt},
      {{{"cpu", q("9")}}, {}, 0, "it needs 9 of cpu; the node has 8"},
      {{{"cpu", q("7")}}, {{"cpu", q("1")}}, 1, std::nullopt},
      {{{"cpu", q("7001m")}},
       {{"cpu", q("1")}},
       1,
       "it needs 7001m of cpu; the node has 8, of which 1 is taken"},
      {{{"memory", q("16Gi")}},
       {{"memory", q("1")}},
       1,
       "it needs 16Gi of memory; the node has 16Gi, of which 1 is taken"},
      {{{"ephemeral-storage", q("11Gi")}},
       {},
       0,
       "it needs 11Gi of ephemeral-storage; the node has 10Gi"},
      {{{"nvidia.com/gpu", q("2")}},
       {{"nvidia.com/gpu", q("1")}},
       1,
       "it needs 2 of nvidia.com/gpu; the node has 2, of which 1 is taken"},
      {{{"amd.com/gpu", q("1")}}, {}, 0, "it needs 1 of amd.com/gpu; the node has 0"},
      {{{"amd.com/gpu", q("0")}}, {}, 0, std::nullopt},
      {{{kDeviceClassPrefix + "a100", q("4")}}, {}, 0, std::nullopt},  // DRA counts those
      {{}, {}, 2, std::nullopt},
      {{}, {}, 3, "the node allows 3 pods and has 3"},
      {{{"cpu", q("1")}},
       {{"cpu", q("9")}},
       1,
       "it needs 1 of cpu; the node has 8, of which 9 is taken"},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(never_fits({}, row.asked, sample(), room(row.taken, row.pods)), row.why);
}

TEST(NeverFits, ANodeThatHasNotReportedItsCapacityMayFitLater) {
  EXPECT_EQ(never_fits({}, kAsked, sample(), NodeRoom()), std::nullopt);
}

TEST(OutOfReach, ANodeHasToReachEveryVolume) {
  const VolumePlaces volumes{{{"volume pv-1 of claim data", {{{{{"zone", "In", {"a"}}}, {}}}}},
                              {"volume pv-2 of claim more", {{{{{"rack", "In", {"r"}}}, {}}}}}},
                             {}};
  EXPECT_EQ(out_of_reach({}, sample()), std::nullopt);
  EXPECT_EQ(out_of_reach(volumes, sample()),
            "volume pv-2 of claim more is accessible only from nodes with rack In [r]");
  kube::Node node = sample();
  node.metadata.labels["rack"] = "r";
  EXPECT_EQ(out_of_reach(volumes, node), std::nullopt);
}

TEST(CannotTakeNow, NamesTheReason) {
  const auto now = [](const kube::Node& node, const NodeRoom& left = room()) {
    return cannot_take_now({}, kAsked, node, left);
  };
  EXPECT_EQ(now(sample()), std::nullopt);

  kube::Node node = sample();
  node.status.conditions[0].status = "Unknown";
  EXPECT_EQ(now(node), "the node is not ready");
  node = sample();
  node.spec.unschedulable = true;
  EXPECT_EQ(now(node), "the node is cordoned");
  node = sample();
  node.metadata.deletionTimestamp = "2026-11-16T05:00:00Z";
  EXPECT_EQ(now(node), "the node is being deleted");
  node = sample();
  node.spec.taints = {{"node.kubernetes.io/disk-pressure", "", "NoSchedule"}};
  EXPECT_EQ(now(node), "the node has the taint node.kubernetes.io/disk-pressure:NoSchedule");

  EXPECT_EQ(now(sample(), room({{"cpu", q("6500m")}}, 1)),
            "it needs 2 of cpu; the node has 8, of which 6500m is taken");
  EXPECT_EQ(now(sample(), room({}, 3)), "the node allows 3 pods and has 3");
}

TEST(CannotTakeNow, OurOwnTaintIsNotInTheWay) {
  kube::Node node = sample();
  node.spec.taints = {{kTaintKey, "slurm-bridge-scheduler", "NoExecute"}};
  kube::Pod ours;
  ours.spec.schedulerName = "slurm-bridge-scheduler";
  EXPECT_EQ(cannot_take_now(ours, kAsked, node, room()), std::nullopt);
}

}  // namespace
}  // namespace workload
