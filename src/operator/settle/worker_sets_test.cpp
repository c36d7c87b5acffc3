// SPDX-License-Identifier: Apache-2.0
#include "operator/settle/worker_sets.h"

#include "operator/settle/testing_resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::settle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(WorkerSet, a_pod_name_has_exactly_one_ordinal) {
  const WorkerSet set{.name = "gpu",
                      .pod_prefix = "gpu",
                      .component = "nodeset",
                      .owner = {},
                      .image = "",
                      .munge_image = ""};
  EXPECT_EQ(set.pod_name(12), "gpu-12");
  EXPECT_EQ(set.ordinal_of("gpu-12"), std::optional<std::int64_t>(12));
  EXPECT_EQ(set.ordinal_of("gpu-0"), std::optional<std::int64_t>(0));
  for (const char* name : {"gpu",
                           "gpu-",
                           "gpu-01",
                           "gpu-1-2",
                           "gpu-x",
                           "gpus-1",
                           "gp-1",
                           "gpu--1",
                           "gpu-+1",
                           "xgpu-1",
                           "",
                           "gpu-99999999999999999999"}) {
    EXPECT_EQ(set.ordinal_of(name), std::nullopt) << name;
  }
}

std::vector<std::string> name_errors(std::string_view spec, std::vector<std::string> names) {
  std::vector<json::Value> sets;
  for (const std::string& name : names) sets.push_back(resource(name, "{}"));
  std::vector<std::string> out;
  for (const api::FieldError& error :
       settle(resource("demo", spec), sets, {}, {}).findings.errors) {
    out.push_back(error.to_string());
  }
  return out;
}

constexpr std::string_view kWorkers = R"({"slurmNodes":{"worker":{}}})";

TEST(WorkerSet, names_that_cannot_be_told_apart_are_refused) {
  EXPECT_THAT(name_errors(kWorkers, {"a", "b", "gpu-a", "gpu"}), ElementsAre());
  EXPECT_THAT(name_errors(kWorkers, {"worker"}),
              ElementsAre(HasSubstr("NodeSet worker: metadata.name: spec.slurmNodes.worker has")));
  EXPECT_THAT(name_errors("{}", {"worker"}), ElementsAre());
  EXPECT_THAT(name_errors(kWorkers, {"controller"}),
              ElementsAre(HasSubstr("the pods of StatefulSet controller have the same names")));
  EXPECT_THAT(name_errors("{}", {"controller", "login"}), ElementsAre());
  EXPECT_THAT(name_errors("{}", {"demo-login"}), ElementsAre(HasSubstr("StatefulSet demo-login")));
  EXPECT_THAT(name_errors("{}", {"twice", "twice"}),
              ElementsAre(HasSubstr("NodeSet twice has pods of the same names")));
}

TEST(WorkerSet, a_set_does_not_have_the_name_of_a_node) {
  EXPECT_THAT(name_errors("{}", {"gpu", "gpu-2"}),
              ElementsAre(HasSubstr("NodeSet gpu-2: metadata.name: gpu-2 is also the name of a "
                                    "Slurm node of gpu")));
  EXPECT_THAT(name_errors(kWorkers, {"worker-0"}),
              ElementsAre(HasSubstr("worker-0 is also the name of a Slurm node of worker")));
}

TEST(WorkerSet, workers_of_the_cluster_have_the_form_of_a_node_set) {
  const Settled result = settle(stored(fixture("munge_cluster.json")), {}, {}, {});
  ASSERT_TRUE(result.cluster) << text_of(result.findings);
  const WorkerSet& set = result.cluster->worker_sets.at(0);
  EXPECT_FALSE(set.is_node_set);
  EXPECT_EQ(set.owner, result.cluster->owner);
  EXPECT_EQ(set.generation, 7);
  EXPECT_EQ(set.spec.replicas, 3);
  EXPECT_EQ(set.spec.slurmd.image.pullPolicy, "Always");
  EXPECT_EQ(set.drain_timeout, std::optional<base::Duration>(std::chrono::minutes(90)));
  EXPECT_EQ(set.image, "registry.example.com/slurmd:7");
  EXPECT_EQ(set.munge_image, "registry.example.com/munge:7");
  EXPECT_TRUE(set.spec.munge);
  EXPECT_EQ(set.spec.slurmd.volumes.spool.dump(),
            R"({"ephemeral":{"volumeClaimTemplate":{"spec":{"accessModes":["ReadWriteOnce"]}}}})");
  ASSERT_EQ(set.spec.slurmd.volumes.customVolumeMounts.size(), 1U);
  EXPECT_EQ(set.spec.slurmd.volumes.customVolumeMounts[0].volumeSource.dump(),
            R"({"nfs":{"server":"nfs.example.com","path":"/scratch"}})");
}

}  // namespace
}  // namespace slurmop::settle
