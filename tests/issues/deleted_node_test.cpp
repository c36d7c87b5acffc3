// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge#43: after one node was deleted, all jobs whose required nodes included
// it were refused or ended. #42 shortened the list of names, #44 removed it.
#include "bridge/testing/nodes.h"
#include "small_world.h"

#include <gtest/gtest.h>

namespace bridge::testing {
namespace {

TEST(DeletedNodeSync, OtherNodesAreNotAffectedAndTheDeletedNodeIsDrained) {
  const kube::Node other = kube_node();
  const slurm::Node others = slurm_node({"MIXED"});
  EXPECT_EQ(steps_text(facts_of(&other, &others)), "");
  // The deleted node gets no new jobs, running jobs continue, and it is not removed while busy.
  const slurm::Node busy = made_node({"MIXED"});
  nodes::NodeFacts facts = facts_of(nullptr, &busy);
  facts.was_named = "k8s-1";
  EXPECT_EQ(steps_text(facts), "drain slurm-bridge: slurm-bridge: removing external node s1");
}

}  // namespace
}  // namespace bridge::testing

namespace issues {
namespace {

// A pending job in the form of the reference, which requires every node.
std::uint32_t requires_all(SmallWorld& small) {
  models::slurm::SlurmJob job;
  job.name = "as-the-reference-did";
  job.user = "slurm";
  job.partition = "slurm-bridge";
  job.external = true;
  job.held = true;
  for (int i = 0; i < 6; ++i) job.required.insert(fmt::format("n{}", i));
  return small.world.slurm().submit(std::move(job));
}

// The node is deleted in both systems, and slurmctld restarts.
void delete_node(SmallWorld& small, const std::string& name) {
  ASSERT_LT(small.world.as_user({"DELETE", "/api/v1/nodes/" + name, "{}"}).status, 300);
  small.pass(10s);
  net::http::Request by_an_admin("DELETE", slurm::testing::api_path("/node/") + name, "");
  by_an_admin.headers = {{"X-SLURM-USER-TOKEN", "t"}};
  ASSERT_EQ(small.world.slurm().handle(by_an_admin).status, 200);
  small.world.trouble(30s);
  small.world.slurm().restart();
}

TEST(DeletedNode, RunningAndWaitingJobsContinueAfterARestartOfSlurmctld) {
  SmallWorld small;
  const std::uint32_t witness = requires_all(small);
  const json::Object in_zone{{"nodeSelector", json::Object{{"zone", "b"}}}};
  small.patch("/api/v1/nodes/n4",
              json::Object{{"metadata", json::Object{{"labels", json::Object{{"zone", "b"}}}}}});
  const std::vector<std::string> running{"small-1", "small-2", "leaves-out"};
  const std::vector<std::string> waiting{"small-3", "leaves-out-too"};
  for (const char* name : {"small-1", "small-2"}) small.create(name, {{"partition", "small"}});
  small.create("leaves-out", {}, in_zone);
  for (const std::string& name : running)
    ASSERT_TRUE(small.until([&] { return small.bound(name); }, 10s)) << name;
  small.create("small-3", {{"partition", "small"}});
  small.create("leaves-out-too", {}, in_zone);
  for (const std::string& name : waiting)
    ASSERT_TRUE(small.until([&] { return small.pod(name)->job.has_value(); }, 10s)) << name;
  ASSERT_TRUE(small.jobs("leaves-out-too").front().excluded.contains("n5"));

  delete_node(small, "n5");
  small.pass(10min);
  EXPECT_EQ(small.world.slurm().find(witness), nullptr) << "it failed and was purged";
  for (const std::string& name : running) EXPECT_FALSE(small.ending(name)) << name;
  for (const auto& [id, job] : small.world.slurm().jobs())
    EXPECT_TRUE(job.required.empty()) << job.name;
  for (const std::string& name : waiting) {
    ASSERT_EQ(small.jobs(name).size(), 1U) << name;
    EXPECT_TRUE(small.jobs(name).front().pending()) << name;
  }

  small.remove("leaves-out");
  EXPECT_TRUE(small.until([&] { return small.bound("leaves-out-too"); }, 60s));
  EXPECT_EQ(small.jobs("leaves-out-too").size(), 1U);
}

}  // namespace
}  // namespace issues
