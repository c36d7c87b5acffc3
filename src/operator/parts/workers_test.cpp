// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/parts.h"
#include "operator/parts/testing_components.h"
#include "operator/parts/testing_golden.h"

#include <gtest/gtest.h>

namespace slurmop::parts {
namespace {

Objects made(const Cluster& cluster) {
  auto all = workers(cluster);
  EXPECT_TRUE(all.ok()) << all.error().message();
  return all.ok() ? *all : Objects{};
}

TEST(Workers, golden_files_are_current) {
  expect_golden("small/workers", made(small_cluster()));
  expect_golden("full/workers", made(full_cluster_with(false)));
}

// A worker must have a name in DNS before it is ready, and workers of all sets have one domain.
TEST(Workers, have_one_domain) {
  const json::Value service =
      object_named(made(full_cluster_with(false)), "Service", "demo-nodeset-svc");
  EXPECT_EQ(at(service, {"spec", "clusterIP"}), json::Value("None"));
  EXPECT_EQ(at(service, {"spec", "publishNotReadyAddresses"}), json::Value(true));
  EXPECT_EQ(at(service, {"spec", "selector"}).dump(),
            R"({"app.kubernetes.io/instance":"demo","app.kubernetes.io/name":"slurmcluster",)"
            R"("slurm.nebius.ai/worker":"true"})");
}

TEST(Workers, of_a_set_are_selected_by_its_service_and_budget) {
  const Cluster cluster = full_cluster_with(false);
  const Objects all = made(cluster);
  const json::Value labels =
      at(worker_pod(cluster, set_named(cluster, "gpu"), 0), {"metadata", "labels"});
  const json::Value service = object_named(all, "Service", "demo-nodeset-gpu-svc");
  const json::Value budget = object_named(all, "PodDisruptionBudget", "demo-nodeset-gpu-pdb");
  for (const json::Value& selector :
       {at(service, {"spec", "selector"}), at(budget, {"spec", "selector", "matchLabels"})}) {
    EXPECT_EQ(*selector.find("slurm.nebius.ai/nodeset"), json::Value("gpu"));
    for (const json::Member& label : *selector.as_object()) {
      ASSERT_NE(labels.find(label.key), nullptr) << label.key;
      EXPECT_EQ(*labels.find(label.key), label.value);
    }
  }
}

TEST(Workers, a_budget_is_a_number_or_a_percentage) {
  const Objects all = made(full_cluster_with(false));
  EXPECT_EQ(at(object_named(all, "PodDisruptionBudget", "demo-nodeset-gpu-pdb"),
               {"spec", "maxUnavailable"}),
            json::Value("25%"));
  EXPECT_EQ(at(object_named(all, "PodDisruptionBudget", "demo-nodeset-plain-pdb"),
               {"spec", "maxUnavailable"}),
            json::Value(500));
}

TEST(Workers, invalid_parameters_of_nodes_are_an_error) {
  Cluster cluster = full_cluster_with(false);
  cluster.worker_sets[0].spec.nodeConfig.static_ = "Weight";
  EXPECT_FALSE(workers(cluster).ok());
}

}  // namespace
}  // namespace slurmop::parts
