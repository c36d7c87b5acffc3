// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge#29: nodeSelector and node affinity were ignored.
#include "bridge/scheduling/exclusions.h"
#include "small_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge {
namespace {

using slurm::SlurmNodeName;
using ::testing::ElementsAre;

struct NodeSelector : ::testing::Test {
  NodeSelector() {
    with.metadata.labels["zone"] = "a";
    in_a.name = SlurmNodeName("s-a");
    in_b.name = SlurmNodeName("s-b");
  }
  std::vector<SlurmNodeName> excluded() const {
    const scheduling::Candidate all[] = {{in_a, &with, {}}, {in_b, &without, {}}};
    return exclusions({pod, "", {}, {}}, all).nodes;
  }

  kube::Node with, without;
  slurm::Node in_a, in_b;
  kube::Pod pod;
};

TEST_F(NodeSelector, NodesThatDoNotMatchTheSelectorAreExcluded) {
  pod.spec.nodeSelector["zone"] = "a";
  EXPECT_THAT(excluded(), ElementsAre(SlurmNodeName("s-b")));
}

TEST_F(NodeSelector, NodesThatDoNotMatchTheRequiredAffinityAreExcluded) {
  pod.spec.affinity.emplace()
      .nodeAffinity.emplace()
      .requiredDuringSchedulingIgnoredDuringExecution =
      kube::NodeSelector{{{{{"zone", "DoesNotExist", {}}}, {}}}};
  EXPECT_THAT(excluded(), ElementsAre(SlurmNodeName("s-a")));
}

}  // namespace
}  // namespace bridge

namespace issues {
namespace {

using Names = std::set<std::string>;

// 10.4x: the kubelet refused the pod on a node that was paid for.
TEST(NodeSelectorEndToEnd, APodRunsOnTheOnlyNodeThatMatches) {
  SmallWorld small;
  small.patch("/api/v1/nodes/n4",
              json::Object{{"metadata", json::Object{{"labels", json::Object{{"zone", "b"}}}}}});
  small.pass(1s);
  for (const char* name : {"a", "b", "c"})
    small.create(name,
                 {{"exclusive", "false"}},
                 json::Object{{"nodeSelector", json::Object{{"zone", "b"}}}});
  for (const char* name : {"a", "b", "c"}) {
    ASSERT_TRUE(small.until([&] { return small.bound(name); }, 10s)) << name;
    EXPECT_EQ(small.pod(name)->node, "n4");
  }
}

// Whoever waits leaves out what cannot take it now, not what could not when it came.
TEST(NodeSelectorOfWaitingJob, TheExcludedNodesFollowTheNodes) {
  SmallWorld small;
  const std::uint32_t somebody = small.fill("small", 2);
  small.create_foreign("n0", "8");
  small.create("a", {{"partition", "small"}});
  const auto left_out = [&] {
    const auto jobs = small.jobs("a");
    return jobs.size() == 1 ? Names(jobs[0].excluded.begin(), jobs[0].excluded.end()) : Names{"?"};
  };
  ASSERT_TRUE(small.until([&] { return left_out() == Names{"n0"}; }, 10s));

  small.remove("foreign-n0");
  EXPECT_TRUE(small.until([&] { return left_out().empty(); }, 2min));
  small.create_foreign("n1", "8");
  EXPECT_TRUE(small.until([&] { return left_out() == Names{"n1"}; }, 2min));

  small.world.slurm().end(somebody, "COMPLETED", "None");
  EXPECT_TRUE(small.until([&] { return small.bound("a"); }, 10s));
  EXPECT_EQ(small.pod("a")->node, "n0");
  EXPECT_EQ(small.jobs("a").size(), 1U) << "the job keeps its age";
}

TEST(NodeSelectorOfWaitingJob, NodesThatAnAdministratorExcludedStayExcluded) {
  SmallWorld small;
  (void)small.fill("small", 2);
  small.create_foreign("n0", "8");
  small.create("a", {{"partition", "small"}});
  ASSERT_TRUE(small.until([&] { return small.jobs("a").size() == 1; }, 10s));
  const std::uint32_t id = small.jobs("a").front().id;
  net::http::Request by_an_admin("POST",
                                 slurm::testing::api_path(fmt::format("/job/{}", id)),
                                 R"({"excluded_nodes":["n0","n5"]})");
  by_an_admin.headers = {{"X-SLURM-USER-TOKEN", "t"}, {"Content-Type", "application/json"}};
  ASSERT_EQ(small.world.slurm().handle(by_an_admin).status, 200);
  small.remove("foreign-n0");
  small.pass(3min);
  const auto jobs = small.jobs("a");
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].excluded, (Names{"n0", "n5"}));
}

}  // namespace
}  // namespace issues
