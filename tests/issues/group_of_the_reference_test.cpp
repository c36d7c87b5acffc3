// SPDX-License-Identifier: Apache-2.0
// The reference (SlinkyProject/slurm-bridge) runs a group of pods as one job. After a switch to
// this bridge, deleting one pod of such a group cancelled the job and deleted all other pods of the
// group.
#include "bridge/marks/named_job.h"
#include "small_world.h"

namespace issues {
namespace {

// A group in the form of SlinkyProject/slurm-bridge: one job that lists the pods, with one node for
// each; label, finalizer and toleration on each pod; the node as an annotation before the bind.
class GroupOfTheReference : public ::testing::Test {
 protected:
  static constexpr base::Duration kAway = 30s;

  GroupOfTheReference() {
    for (const auto& process : small.world.processes()) small.world.kill(*process, kAway);
    back_at_ = small.world.now() + kAway;
  }

  static std::string path(const std::string& name) {
    return fmt::format("/api/v1/namespaces/{}/pods/{}", sim::kNamespace, name);
  }

  void submit(const std::vector<std::string>& pods, std::uint32_t nodes) {
    json::Array listed;
    for (const std::string& name : pods)
      listed.emplace_back(fmt::format("{}/{}", sim::kNamespace, name));
    models::slurm::SlurmJob group;
    group.name = "group";
    group.user = "slurm";
    group.partition = "slurm-bridge";
    group.external = true;
    group.exclusive = true;
    group.node_count = nodes;
    group.admin_comment = json::Value(json::Object{{"pods", std::move(listed)}}).dump();
    group.held = true;
    job = small.world.slurm().submit(std::move(group));
    for (const std::string& name : pods) {
      small.create(name, {}, tolerated());
      mark(name);
    }
  }
  static json::Object tolerated() {
    const json::Object toleration{{"key", workload::kTaintKey},
                                  {"operator", "Equal"},
                                  {"value", sim::kScheduler},
                                  {"effect", "NoExecute"}};
    return {{"tolerations", json::Array{toleration}}};
  }
  void mark(const std::string& name) {
    small.patch(
        path(name),
        json::Object{
            {"metadata",
             json::Object{{"labels", json::Object{{workload::kJobIdLabel, std::to_string(job)}}},
                          {"finalizers", json::Array{workload::kFinalizer}}}}});
  }
  void start_job() {
    small.world.slurm().hold(job, false);
    ASSERT_TRUE(small.until([&] { return group().state == "RUNNING"; }, 5s));
  }
  void annotate(const std::string& name, const std::string& node) {
    small.patch(path(name),
                json::Object{{"metadata",
                              json::Object{{"annotations",
                                            json::Object{{workload::kNodeAnnotation, node}}}}}});
  }
  void bind(const std::string& name, const std::string& node) {
    annotate(name, node);
    const json::Object target{{"kind", "Node"}, {"name", node}};
    small.post(path(name) + "/binding", json::Value(json::Object{{"target", target}}).dump());
  }
  // Four running pods, on the nodes in reverse order.
  void run_four() {
    submit(four, 4);
    start_job();
    for (std::size_t i = 0; i < four.size(); ++i) bind(four[i], group().nodes[3 - i]);
    small.pass(5s);
  }
  void take_over() {
    small.pass(back_at_ - small.world.now() + 20s);
    ASSERT_EQ(group().state, "RUNNING");
  }
  const models::slurm::SlurmJob& group() const { return *small.world.slurm().find(job); }
  bool runs(const std::string& name) const {
    return small.bound(name) && !small.ending(name) && small.pod(name)->phase == "Running";
  }
  std::size_t cancels() const {
    return small.count([](const std::string& line) { return line.starts_with("DELETE /slurm/"); });
  }

  SmallWorld small;
  std::uint32_t job = 0;
  const std::vector<std::string> four{"g-0", "g-1", "g-2", "g-3"};

 private:
  base::Instant back_at_;
};

TEST_F(GroupOfTheReference, ARunningGroupIsNotChanged) {
  run_four();
  take_over();
  small.pass(5min);
  for (const std::string& name : four) EXPECT_TRUE(runs(name)) << name;
  EXPECT_EQ(cancels(), 0U);
  EXPECT_TRUE(small.jobs("g-0").empty()) << "there is a second job";
}

TEST_F(GroupOfTheReference, DeletingOnePodDoesNotAffectTheOthersAndTheirJob) {
  run_four();
  take_over();
  small.remove("g-1");
  ASSERT_TRUE(small.until([&] { return small.pod("g-1") == nullptr; }, 60s));
  small.pass(5min);
  for (const char* name : {"g-0", "g-2", "g-3"}) EXPECT_TRUE(runs(name)) << name;
  EXPECT_EQ(group().state, "RUNNING");
  EXPECT_EQ(cancels(), 0U);
}

TEST_F(GroupOfTheReference, TheJobIsReleasedOnceWhenItsLastPodHasEnded) {
  run_four();
  take_over();
  for (const char* name : {"g-0", "g-1", "g-2"}) {
    small.remove(name);
    ASSERT_TRUE(small.until([&] { return small.pod(name) == nullptr; }, 60s)) << name;
    EXPECT_EQ(group().state, "RUNNING");
  }
  small.remove("g-3");
  ASSERT_TRUE(small.until([&] { return small.pod("g-3") == nullptr; }, 60s));
  EXPECT_EQ(group().state, "CANCELLED");
  small.pass(5min);
  EXPECT_EQ(cancels(), 1U);
}

TEST_F(GroupOfTheReference, PodsThatEndTogetherReleaseTheirJobOnce) {
  run_four();
  take_over();
  for (const std::string& name : four) small.remove(name);
  ASSERT_TRUE(small.until(
      [&] { return std::ranges::none_of(four, [&](const auto& name) { return small.pod(name); }); },
      60s));
  EXPECT_EQ(group().state, "CANCELLED");
  EXPECT_EQ(cancels(), 1U);
}

TEST_F(GroupOfTheReference, AGroupThatIsTerminatingIsReleasedWhenItHasEnded) {
  run_four();
  for (const std::string& name : four) small.world.kubelets().die(small.pod(name)->node);
  for (const std::string& name : four) small.remove(name);
  take_over();
  small.pass(60s);
  EXPECT_EQ(group().state, "RUNNING") << "its pods still run";
  for (const std::string& name : four) small.world.kubelets().come_back(small.pod(name)->node);
  ASSERT_TRUE(small.until([&] { return group().state == "CANCELLED"; }, 60s));
  EXPECT_EQ(cancels(), 1U);
}

TEST_F(GroupOfTheReference, UnboundPodsAreBoundToTheNodesOfTheirAnnotations) {
  submit(four, 4);
  start_job();
  bind("g-0", group().nodes[3]);
  bind("g-1", group().nodes[1]);
  annotate("g-2", group().nodes[0]);
  annotate("g-3", group().nodes[2]);
  take_over();
  ASSERT_TRUE(small.until([&] { return runs("g-2") && runs("g-3"); }, 30s));
  EXPECT_EQ(small.pod("g-2")->node, group().nodes[0]);
  EXPECT_EQ(small.pod("g-3")->node, group().nodes[2]);
  EXPECT_EQ(cancels(), 0U);
}

TEST_F(GroupOfTheReference, AWaitingGroupIsBoundWithOnePodPerNode) {
  submit(four, 4);
  small.pass(kAway + 20s);
  EXPECT_EQ(group().state, "PENDING");
  start_job();
  ASSERT_TRUE(small.until(
      [&] { return std::ranges::all_of(four, [&](const auto& name) { return runs(name); }); },
      30s));
  std::set<std::string> used;
  for (const std::string& name : four) used.insert(small.pod(name)->node);
  EXPECT_EQ(used, std::set<std::string>(group().nodes.begin(), group().nodes.end()));
  EXPECT_EQ(cancels(), 0U);
}

TEST_F(GroupOfTheReference, DeletingOnePodOfAWaitingGroupKeepsTheJobForTheOthers) {
  submit(four, 4);
  small.pass(kAway + 20s);
  small.remove("g-2");
  ASSERT_TRUE(small.until([&] { return small.pod("g-2") == nullptr; }, 30s));
  small.pass(60s);
  EXPECT_EQ(group().state, "PENDING");
  EXPECT_EQ(cancels(), 0U);
  for (const char* name : {"g-0", "g-1", "g-3"}) EXPECT_EQ(small.pod(name)->job, job) << name;
}

TEST_F(GroupOfTheReference, ANewPodOfTheSameNameGetsItsOwnJobAndTheGroupKeepsRunning) {
  run_four();
  take_over();
  small.remove("g-1");
  ASSERT_TRUE(small.until([&] { return small.pod("g-1") == nullptr; }, 60s));
  small.create("g-1");
  ASSERT_TRUE(small.until([&] { return small.bound("g-1"); }, 30s));
  EXPECT_NE(small.pod("g-1")->job, job);
  EXPECT_EQ(std::ranges::count(group().nodes, small.pod("g-1")->node), 0);
  for (const char* name : {"g-0", "g-2", "g-3"}) EXPECT_TRUE(runs(name)) << name;
  // The new pod does not keep the group's job either when all others have ended.
  for (const char* name : {"g-0", "g-2", "g-3"}) small.remove(name);
  ASSERT_TRUE(small.until([&] { return group().state == "CANCELLED"; }, 60s));
  small.pass(60s);
  EXPECT_TRUE(runs("g-1"));
  EXPECT_EQ(cancels(), 1U);
}

TEST_F(GroupOfTheReference, APodWhoseNodeCannotRunItDoesNotAffectTheGroup) {
  submit(four, 4);
  start_job();
  for (std::size_t i = 0; i < 3; ++i) bind(four[i], group().nodes[i]);
  annotate("g-3", group().nodes[3]);
  small.create_foreign(group().nodes[3], "8");
  take_over();
  ASSERT_TRUE(small.until([&] { return runs("g-3"); }, 10min));
  EXPECT_NE(small.pod("g-3")->job, job);
  for (const char* name : {"g-0", "g-1", "g-2"}) EXPECT_TRUE(runs(name)) << name;
  EXPECT_EQ(group().state, "RUNNING");
  EXPECT_EQ(cancels(), 0U);
}

TEST_F(GroupOfTheReference, APodForWhichTheJobHasNoNodeGetsItsOwnJob) {
  submit(four, 3);
  start_job();
  for (std::size_t i = 0; i < 3; ++i) bind(four[i], group().nodes[i]);
  take_over();
  ASSERT_TRUE(small.until([&] { return runs("g-3"); }, 10min));
  EXPECT_NE(small.pod("g-3")->job, job);
  EXPECT_EQ(group().state, "RUNNING");
  EXPECT_EQ(cancels(), 0U);
}

TEST_F(GroupOfTheReference, CancellingTheJobDeletesTheWholeGroup) {
  run_four();
  take_over();
  small.world.slurm().end(job, "CANCELLED", "None");
  ASSERT_TRUE(small.until(
      [&] {
        return std::ranges::all_of(four, [&](const auto& name) { return small.ending(name); });
      },
      30s));
}

TEST_F(GroupOfTheReference, APodThatLostItsLabelKeepsTheJobWhileItRuns) {
  run_four();
  take_over();
  small.patch(
      path("g-0"),
      json::Object{
          {"metadata", json::Object{{"labels", json::Object{{workload::kJobIdLabel, nullptr}}}}}});
  for (const char* name : {"g-1", "g-2", "g-3"}) small.remove(name);
  small.pass(60s);
  EXPECT_EQ(group().state, "RUNNING");
  EXPECT_TRUE(runs("g-0"));
  small.remove("g-0");
  ASSERT_TRUE(small.until([&] { return group().state == "CANCELLED"; }, 60s));
  EXPECT_EQ(cancels(), 1U);
}

}  // namespace
}  // namespace issues
