// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/parts.h"
#include "operator/parts/testing_components.h"
#include "operator/parts/testing_golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace slurmop::parts {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

Cluster with_munge(Cluster cluster) {
  cluster.auth = conf::AuthMode::munge;
  return cluster;
}

json::Value pod(const Cluster& cluster, std::string_view set, std::int64_t ordinal = 0) {
  return worker_pod(cluster, set_named(cluster, set), ordinal);
}

json::Value spec(const Cluster& cluster, std::string_view set) {
  return at(pod(cluster, set), {"spec"});
}

TEST(WorkerPod, golden_files_are_current) {
  const Cluster small = small_cluster();
  expect_golden("small/worker_pod", {worker_pod(small, set_named(small, "worker"), 1)});
  expect_golden("small_munge/worker_pod",
                {worker_pod(with_munge(small), set_named(small, "worker"), 1)});
  for (const bool munge : {false, true}) {
    const Cluster full = full_cluster_with(munge);
    const char* folder = munge ? "full_munge/worker_pod" : "full/worker_pod";
    expect_golden(folder, {worker_pod(full, set_named(full, "gpu"), 0)});
    expect_golden(folder, worker_claims(full, set_named(full, "gpu"), 0));
  }
}

TEST(WorkerPod, is_known_by_its_pod_name) {
  const Cluster cluster = small_cluster();
  const json::Value one = pod(cluster, "worker", 7);
  EXPECT_EQ(at(one, {"metadata", "name"}), json::Value("worker-7"));
  EXPECT_EQ(at(one, {"spec", "hostname"}), json::Value("worker-7"));
  EXPECT_EQ(at(one, {"spec", "subdomain"}), json::Value("demo-nodeset-svc"));
  EXPECT_EQ(named(at(container_of(at(one, {"spec"}), "slurmd"), {"env"}), "POD_NAME").dump(),
            R"({"name":"POD_NAME","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}})");
}

TEST(WorkerPod, belongs_to_its_set) {
  const json::Value one = pod(full_cluster_with(false), "gpu");
  const json::Value labels = at(one, {"metadata", "labels"});
  EXPECT_EQ(*labels.find("slurm.nebius.ai/nodeset"), json::Value("gpu"));
  EXPECT_EQ(*labels.find("slurm.nebius.ai/worker"), json::Value("true"));
  EXPECT_EQ(at(one, {"metadata", "ownerReferences", "0", "uid"}), json::Value("uid-of-gpu"));
  EXPECT_EQ(at(one, {"metadata", "annotations", "example.com/team"}), json::Value("ml"));
}

TEST(WorkerPod, has_the_four_capabilities_of_an_unprivileged_slurmd) {
  const json::Value slurmd = container_of(spec(small_cluster(), "worker"), "slurmd");
  EXPECT_EQ(at(slurmd, {"securityContext", "capabilities"}).dump(),
            R"({"drop":["ALL"],"add":["SETUID","SETGID","CHOWN","KILL"]})");
  EXPECT_EQ(slurmd.find("livenessProbe"), nullptr) << "a restart would end the jobs";
}

TEST(WorkerPod, slurmd_gets_what_it_requests_and_no_more) {
  const json::Value all = spec(full_cluster_with(false), "gpu");
  const json::Value resources = at(container_of(all, "slurmd"), {"resources"});
  EXPECT_EQ(at(resources, {"requests"}), at(resources, {"limits"}));
  EXPECT_EQ(at(container_of(all, "keys"), {"resources"}).dump(),
            R"({"requests":{"cpu":"3500m","memory":"16Gi"},)"
            R"("limits":{"cpu":"3500m","memory":"16Gi"}})")
      << "otherwise the pod is not Guaranteed";
}

TEST(WorkerPod, key_of_auth_slurm_can_be_read_by_root_only) {
  const json::Value all = spec(small_cluster(), "worker");
  EXPECT_EQ(at(container_of(all, "keys"), {"args"}).dump(),
            R"(["root","/secrets/slurm-key/slurm.key","slurm.key"])");
  EXPECT_THAT(names_in(at(all, {"volumes"})), Not(Contains("jwt-key")));
}

TEST(WorkerPod, with_munge_has_the_sidecar_and_no_key_of_slurm) {
  const json::Value all = spec(full_cluster_with(true), "gpu");
  EXPECT_THAT(names_in(at(all, {"initContainers"})), ElementsAre("first", "munge"));
  EXPECT_EQ(at(container_of(all, "munge"), {"restartPolicy"}), json::Value("Always"));
  EXPECT_THAT(names_in(at(all, {"volumes"})), Not(Contains("slurm-key")));
  EXPECT_EQ(named(at(container_of(all, "slurmd"), {"env"}), "SLURM_SACK_KEY"), json::Value());
}

TEST(WorkerPod, without_shared_home_creates_the_home_directories) {
  EXPECT_THAT(names_in(at(spec(small_cluster(), "worker"), {"initContainers"})),
              ElementsAre("keys", "homes"));
  EXPECT_THAT(names_in(at(spec(full_cluster_with(false), "plain"), {"initContainers"})),
              ElementsAre("keys"));
}

TEST(WorkerPod, finds_slurmctld_by_name) {
  const json::Value all = spec(small_cluster(), "worker");
  EXPECT_EQ(at(all, {"dnsConfig", "searches", "0"}),
            json::Value("demo-controller-svc.hpc.svc.cluster.local"));
  EXPECT_EQ(at(container_of(all, "slurmd"), {"args", "3"}),
            json::Value("demo-controller-svc.hpc.svc.cluster.local:6817"));
}

TEST(WorkerPod, names_claims_that_are_created_before_it) {
  const Cluster cluster = full_cluster_with(false);
  const Objects claims = worker_claims(cluster, set_named(cluster, "gpu"), 3);
  ASSERT_EQ(claims.size(), 1U);
  EXPECT_EQ(at(claims[0], {"metadata", "name"}), json::Value("gpu-3-scratch"));
  EXPECT_EQ(at(claims[0], {"metadata", "ownerReferences"}), json::Value()) << "Retain";
  EXPECT_EQ(named(at(pod(cluster, "gpu", 3), {"spec", "volumes"}), "scratch").dump(),
            R"({"name":"scratch","persistentVolumeClaim":{"claimName":"gpu-3-scratch"}})");
}

TEST(WorkerPod, claims_without_retention_are_deleted_with_the_set) {
  Cluster cluster = full_cluster_with(false);
  settle::WorkerSet set = set_named(cluster, "gpu");
  set.spec.slurmd.volumes.persistentVolumeClaimRetentionPolicy.whenDeleted = "Delete";
  EXPECT_EQ(at(worker_claims(cluster, set, 0)[0], {"metadata", "ownerReferences", "0", "uid"}),
            json::Value("uid-of-gpu"));
}

TEST(WorkerPod, a_given_volume_does_not_hide_an_own_one) {
  Cluster cluster = small_cluster();
  settle::WorkerSet set = set_named(cluster, "worker");
  set.spec.slurmd.volumes.customVolumeMounts = {{.name = "home",
                                                 .mountPath = "/mnt",
                                                 .subPath = "",
                                                 .volumeSource = parsed(R"({"emptyDir":{}})"),
                                                 .volumeClaimTemplateSpec = {}}};
  const std::vector<std::string> volumes =
      names_in(at(worker_pod(cluster, set, 0), {"spec", "volumes"}));
  EXPECT_THAT(volumes, Contains("home"));
  EXPECT_THAT(volumes, Contains("custom-home"));
}

TEST(TemplateHash, is_that_of_the_annotation_and_equal_for_all_workers) {
  const Cluster cluster = full_cluster_with(false);
  const std::string hash = worker_template_hash(cluster, set_named(cluster, "gpu"));
  EXPECT_EQ(hash.size(), 64U);
  for (const std::int64_t ordinal : {0, 1, 9999}) {
    EXPECT_EQ(at(pod(cluster, "gpu", ordinal),
                 {"metadata", "annotations", "slurm.nebius.ai/template-hash"}),
              json::Value(hash));
  }
}

TEST(TemplateHash, cannot_be_given) {
  const Cluster cluster = small_cluster();
  settle::WorkerSet set = set_named(cluster, "worker");
  const std::string before = worker_template_hash(cluster, set);
  set.spec.workerAnnotations["slurm.nebius.ai/template-hash"] = "mine";
  EXPECT_EQ(worker_template_hash(cluster, set), before);
  EXPECT_EQ(
      at(worker_pod(cluster, set, 0), {"metadata", "annotations", "slurm.nebius.ai/template-hash"}),
      json::Value(before));
}

TEST(TemplateHash, changes_with_the_pod_only) {
  using Change = std::function<void(Cluster&, settle::WorkerSet&)>;
  struct Row {
    std::string_view change;
    Change apply;
    bool changes;
  };
  const Row rows[] = {
      {"replicas", [](Cluster&, settle::WorkerSet& s) { s.spec.replicas = 9; }, false},
      {"generation", [](Cluster&, settle::WorkerSet& s) { s.generation = 9; }, false},
      {"drain timeout",
       [](Cluster&, settle::WorkerSet& s) { s.drain_timeout = std::chrono::seconds(1); },
       false},
      {"disruption budget",
       [](Cluster&, settle::WorkerSet& s) { s.spec.maxUnavailable = {.amount = 1}; },
       false},
      {"custom configuration",
       [](Cluster& c, settle::WorkerSet&) { c.resource.spec.customSlurmConfig = "KillWait=5"; },
       false},
      {"users", [](Cluster& c, settle::WorkerSet&) { c.users.clear(); }, false},
      {"image", [](Cluster&, settle::WorkerSet& s) { s.image = "new"; }, true},
      {"features",
       [](Cluster&, settle::WorkerSet& s) { s.spec.nodeConfig.features = {"new"}; },
       true},
      {"memory",
       [](Cluster&, settle::WorkerSet& s) {
         s.spec.slurmd.resources["memory"] = base::Quantity::units(1 << 30);
       },
       true},
      {"authentication",
       [](Cluster& c, settle::WorkerSet&) { c.auth = conf::AuthMode::munge; },
       true},
      {"annotation",
       [](Cluster&, settle::WorkerSet& s) { s.spec.workerAnnotations["a"] = "b"; },
       true},
  };
  const Cluster before = full_cluster_with(false);
  for (const Row& row : rows) {
    Cluster cluster = before;
    settle::WorkerSet set = set_named(before, "gpu");
    row.apply(cluster, set);
    EXPECT_EQ(worker_template_hash(cluster, set) !=
                  worker_template_hash(before, set_named(before, "gpu")),
              row.changes)
        << row.change;
  }
}

TEST(TemplateHash, does_not_depend_on_the_order_in_which_the_server_sends_members) {
  const Cluster cluster = small_cluster();
  settle::WorkerSet one = set_named(cluster, "worker");
  one.placement.affinity = parsed(R"({"nodeAffinity":{"a":1,"b":2}})");
  settle::WorkerSet two = one;
  two.placement.affinity = parsed(R"({"nodeAffinity":{"b":2,"a":1}})");
  EXPECT_EQ(worker_template_hash(cluster, one), worker_template_hash(cluster, two));
}

}  // namespace
}  // namespace slurmop::parts
