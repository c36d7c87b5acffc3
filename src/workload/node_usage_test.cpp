// SPDX-License-Identifier: Apache-2.0
#include "workload/node_usage.h"

#include "workload/testing.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

namespace workload {
namespace {

using testing::q;

kube::Node node(const std::string& name) {
  kube::Node it;
  it.metadata.name = name;
  it.status.allocatable = {{"cpu", q("64")}};
  return it;
}

kube::Pod bound_pod() {
  kube::Pod pod;
  pod.metadata.uid = kube::Uid("u");
  pod.spec.nodeName = "n1";
  pod.status.phase = "Running";
  pod.spec.containers.emplace_back().resources.requests = {{"cpu", q("2")}};
  return pod;
}

TEST(Occupant, IsAPodThatHoldsSomethingOnANode) {
  kube::Pod pod = bound_pod();
  ASSERT_TRUE(occupant(pod).has_value());
  EXPECT_EQ(occupant(pod)->requests["cpu"], 2000);
  EXPECT_EQ(occupant(pod)->whose, Whose::ours);
  pod.metadata.deletionTimestamp = "2026-11-16T05:00:00Z";
  EXPECT_TRUE(occupant(pod).has_value()) << "until its containers have ended";
  pod.status.phase = "Succeeded";
  EXPECT_FALSE(occupant(pod).has_value());
  pod = bound_pod();
  pod.spec.nodeName = "";
  EXPECT_FALSE(occupant(pod).has_value());
}

TEST(Occupant, OfAnotherSchedulerIsADaemonSetsOrForeign) {
  kube::ForeignPod pod;
  pod.node = kube::NodeName("n1");
  EXPECT_EQ(occupant(pod)->whose, Whose::foreign);
  pod.metadata.deleting = true;
  EXPECT_EQ(occupant(pod)->whose, Whose::leaving);
  pod.of_daemon_set = true;
  EXPECT_EQ(occupant(pod)->whose, Whose::daemon_set);
  pod.ended = true;
  EXPECT_FALSE(occupant(pod).has_value());
}

TEST(NodeUsage, SeparatesOurPodsFromOthersAndOmitsTheGivenPod) {
  NodeUsage usage;
  usage.set(kube::Uid("u"), occupant(bound_pod()));
  usage.set(kube::Uid("d"),
            Occupant{kube::NodeName("n1"), kube::ResourceList{{"cpu", q("1")}}, Whose::daemon_set});
  EXPECT_EQ(usage.without_ours(node("n1")).taken_by_others["cpu"], 1000);
  EXPECT_EQ(usage.without_ours(node("n1")).pods_taken_by_others, 1);
  EXPECT_EQ(usage.now(node("n1"), kube::Uid("x")).taken_by_others["cpu"], 3000);
  EXPECT_EQ(usage.now(node("n1"), kube::Uid("x")).pods_taken_by_others, 2);
  EXPECT_EQ(usage.now(node("n1"), kube::Uid("u")).taken_by_others["cpu"], 1000);
  EXPECT_EQ(usage.now(node("n1"), kube::Uid("u")).pods_taken_by_others, 1);
  EXPECT_EQ(usage.now(node("n2"), kube::Uid("x")).taken_by_others, kube::Amounts());
  EXPECT_EQ(usage.now(node("n2"), kube::Uid("x")).allocatable["cpu"], 64000);
}

// The same by a count of all pods.
NodeRoom recounted(const std::map<kube::Uid, Occupant>& pods, const kube::Node& on, bool now) {
  NodeRoom room{on.status.allocatable, {}, 0};
  for (const auto& [uid, pod] : pods) {
    if (pod.node != on.name() ||
        (!now && (pod.whose == Whose::ours || pod.whose == Whose::leaving)))
      continue;
    room.taken_by_others.add(pod.requests);
    ++room.pods_taken_by_others;
  }
  return room;
}

TEST(NodeUsage, EqualsAFullCount) {
  const bool held = rc::check("usage", [] {
    NodeUsage usage;
    std::map<kube::Uid, Occupant> pods;
    const int steps = *rc::gen::inRange(0, 60);
    for (int i = 0; i < steps; ++i) {
      const kube::Uid uid("u" + std::to_string(*rc::gen::inRange(0, 6)));
      if (*rc::gen::inRange(0, 4) == 0) {
        usage.remove(uid);
        pods.erase(uid);
        continue;
      }
      const Occupant pod{
          kube::NodeName("n" + std::to_string(*rc::gen::inRange(0, 3))),
          kube::ResourceList{{"cpu", base::Quantity::milli(*rc::gen::inRange(0, 2000))},
                             {"a/b", base::Quantity::units(*rc::gen::inRange(0, 3))}},
          *rc::gen::element(Whose::ours, Whose::daemon_set, Whose::foreign, Whose::leaving)};
      usage.set(uid, pod);
      pods.insert_or_assign(uid, pod);
    }
    for (const char* name : {"n0", "n1", "n2"}) {
      const kube::Node on = node(name);
      RC_ASSERT(usage.without_ours(on) == recounted(pods, on, false));
      RC_ASSERT(usage.now(on, kube::Uid("nobody")) == recounted(pods, on, true));
      auto others = pods;
      others.erase(kube::Uid("u1"));
      RC_ASSERT(usage.now(on, kube::Uid("u1")) == recounted(others, on, true));
    }
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace workload
