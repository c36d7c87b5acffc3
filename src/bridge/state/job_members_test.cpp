// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/job_members.h"

#include "bridge/testing/scheduling.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace bridge::state {
namespace {

using testing::a_pod;
using testing::kBridge;

constexpr std::uint32_t kJob = 7;
// The admin_comment as SlinkyProject/slurm-bridge writes it.
const std::string kGroup = R"({"pods":["a/train-0","a/train-1"]})";
const std::string kOwn = workload::admin_comment(
    {kBridge, kube::Uid("u-1"), {{kube::ObjectKey{"a", "train-0"}, kube::Uid("u-1")}}});
const std::string kOthers = workload::admin_comment(
    {kBridge, kube::Uid("u-9"), {{kube::ObjectKey{"a", "train-0"}, kube::Uid("u-9")}}});

// a_pod() is a/train-0 with uid u-1.
struct Row {
  std::string_view what;
  std::string comment;
  kube::Pod pod;
  bool on_its_nodes;
  Stake want;
};

kube::Pod unlisted(kube::Pod pod) {
  pod.metadata.name = "somebody";
  return pod;
}
kube::Pod unlabelled(kube::Pod pod) {
  pod.metadata.labels.clear();
  return pod;
}

TEST(JobMembers, TheStakeDependsOnLabelCommentAndNode) {
  const Row rows[] = {
      {"runs", kGroup, a_pod().job(kJob).on("n1"), true, Stake::releases},
      {"waits", kGroup, a_pod().job(kJob), false, Stake::releases},
      {"is terminating", kGroup, a_pod().job(kJob).on("n1").deleting(), true, Stake::releases},
      {"runs where the job is not", kGroup, a_pod().job(kJob).on("n9"), false, Stake::releases},
      {"has ended", kGroup, a_pod().job(kJob).on("n1").phase("Succeeded"), true, Stake::none},
      {"deleted before it was bound", kGroup, a_pod().job(kJob).deleting(), false, Stake::none},
      {"names another job", kGroup, a_pod().job(8).on("n1"), true, Stake::none},
      {"replaced, no label yet", kGroup, a_pod(), false, Stake::none},
      {"lost its label", kGroup, unlabelled(a_pod().job(kJob).on("n1")), true, Stake::holds},
      {"its label elsewhere", kGroup, unlabelled(a_pod().job(kJob).on("n9")), false, Stake::none},
      {"unlisted, waits", kGroup, unlisted(a_pod().job(kJob)), false, Stake::none},
      {"unlisted, runs there", kGroup, unlisted(a_pod().job(kJob).on("n1")), true, Stake::holds},
      {"ours", kOwn, a_pod().job(kJob).on("n1"), true, Stake::releases},
      {"ours, lost its label", kOwn, unlabelled(a_pod().job(kJob).on("n1")), true, Stake::holds},
      {"id given again", kOthers, a_pod().job(kJob).on("n1"), true, Stake::none},
      {"somebody else's job", "not yours", a_pod().job(kJob).on("n1"), true, Stake::none},
      {"no comment", "", a_pod().job(kJob).on("n1"), true, Stake::none},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(stake_in({slurm::JobId(kJob), row.comment, kBridge}, row.pod, row.on_its_nodes),
              row.want)
        << row.what;
  }
}

TEST(JobMembers, AreCountedInBothFormatsOfTheComment) {
  EXPECT_EQ(listed_pods(kGroup), 2U);
  EXPECT_EQ(listed_pods(kOwn), 1U);
  EXPECT_EQ(listed_pods("not yours"), 0U);
}

std::vector<kube::NodeName> nodes(int count) {
  std::vector<kube::NodeName> all;
  for (int i = 0; i < count; ++i) all.emplace_back("n" + std::to_string(i));
  return all;
}
kube::ObjectKey key(const std::string& name) {
  return {"a", name};
}

TEST(JobMembers, APodGetsTheNodeOfItsAnnotation) {
  const std::vector<Seat> seats{
      {key("p0"), "", "n2"}, {key("p1"), "", "n0"}, {key("p2"), "", "n1"}};
  EXPECT_EQ(assigned_node(key("p0"), nodes(3), seats), kube::NodeName("n2"));
  EXPECT_EQ(assigned_node(key("p1"), nodes(3), seats), kube::NodeName("n0"));
  EXPECT_EQ(assigned_node(key("p2"), nodes(3), seats), kube::NodeName("n1"));
}

// The reference may change the annotation of a pod that is already bound.
TEST(JobMembers, ANodeThatAnotherPodIsBoundToIsNotAssignedAgain) {
  const std::vector<Seat> seats{{key("p0"), "n0", "n1"}, {key("p1"), "", "n0"}};
  EXPECT_EQ(assigned_node(key("p1"), nodes(2), seats), kube::NodeName("n1"));
}

TEST(JobMembers, AnAnnotationThatNamesNoNodeOfTheJobIsIgnored) {
  const std::vector<Seat> seats{{key("p0"), "", "n7"}, {key("p1"), "", "n0"}};
  EXPECT_EQ(assigned_node(key("p0"), nodes(2), seats), kube::NodeName("n1"));
}

TEST(JobMembers, WithMorePodsThanNodesTheLastPodGetsNone) {
  const std::vector<Seat> seats{{key("p0"), "", ""}, {key("p1"), "n0", ""}, {key("p2"), "", ""}};
  EXPECT_EQ(assigned_node(key("p0"), nodes(2), seats), kube::NodeName("n1"));
  EXPECT_EQ(assigned_node(key("p2"), nodes(2), seats), std::nullopt);
}

RC_GTEST_PROP(JobMembers, TwoPodsNeverGetOneNodeAndBindingAPodMovesNoOther, ()) {
  const int count = *rc::gen::inRange(1, 6);
  const auto node = [&] { return "n" + std::to_string(*rc::gen::inRange(0, 7)); };
  std::vector<Seat> seats;
  std::set<std::string> taken;
  const int pods = *rc::gen::inRange(1, 7);
  for (int i = 0; i < pods; ++i) {
    Seat seat{key("p" + std::to_string(i)), "", *rc::gen::arbitrary<bool>() ? node() : ""};
    if (const std::string bound = node(); *rc::gen::arbitrary<bool>() && taken.insert(bound).second)
      seat.bound = bound;
    seats.push_back(seat);
  }
  const auto places = [&] {
    std::vector<std::optional<kube::NodeName>> all;
    for (const Seat& seat : seats) all.push_back(assigned_node(seat.pod, nodes(count), seats));
    return all;
  };
  const auto before = places();
  std::set<std::string> given;
  for (const auto& place : before) {
    const bool alone = !place || given.insert(place->value()).second;
    RC_ASSERT(alone);
  }
  for (std::size_t i = 0; i < seats.size(); ++i) {
    if (!before[i]) continue;
    seats[i].bound = before[i]->value();
    const bool nobody_moved = places() == before;
    RC_ASSERT(nobody_moved);
  }
}

}  // namespace
}  // namespace bridge::state
