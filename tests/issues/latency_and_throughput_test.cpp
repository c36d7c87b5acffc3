// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge: each attempt for a waiting pod made six calls to Slurm and five to
// Kubernetes; it took at least a second from submit to bind, ten seconds until a late start and
// thirty until a cancel was detected; a single worker needed one or two seconds for each pod and
// node.
#include "small_world.h"

namespace issues {
namespace {

// The cost of half a minute with this many waiting pods and no changes.
struct Cost {
  std::size_t slurm;
  std::size_t kube;
};
Cost of_waiting(int how_many) {
  SmallWorld small;
  (void)small.fill("small", 2);
  for (int i = 0; i < how_many; ++i) small.create(fmt::format("w{}", i), {{"partition", "small"}});
  small.pass(3min);
  const auto to_kube = [&] { return small.calls("/pods") + small.calls("/api/v1/nodes"); };
  const Cost before{small.calls("/slurm/"), to_kube()};
  small.pass(30s);
  return {small.calls("/slurm/") - before.slurm, to_kube() - before.kube};
}

TEST(LatencyAndThroughput, WaitingPodsCauseABoundedNumberOfSlurmCallsAndNoneToKubernetes) {
  const Cost few = of_waiting(5);
  const Cost many = of_waiting(100);
  // The reference: 0.6 calls per pod and second, which would be 1800. Reasons of pending jobs are
  // read at most four times a second (docs/scheduling.md).
  EXPECT_LE(many.slurm, few.slurm + 4 * 30);
  EXPECT_LE(many.kube, 2U) << "watches that are renewed";
}

TEST(LatencyAndThroughput, EachSystemFollowsTheOtherWithinSeconds) {
  SmallWorld small;
  small.create("a", {{"exclusive", "false"}});
  ASSERT_TRUE(small.until([&] { return small.jobs("a").size() == 1; }, 2s)) << "submitted";
  ASSERT_TRUE(small.until([&] { return small.bound("a"); }, 3s)) << "bound";
  small.create("b", {{"exclusive", "false"}});
  ASSERT_TRUE(small.until([&] { return small.bound("b"); }, 3s));
  small.pass(5min);

  small.world.slurm().end(small.jobs("a").front().id, "CANCELLED", "None");
  EXPECT_TRUE(small.until([&] { return small.ending("a"); }, 3s)) << "cancel to delete";
  small.remove("b");
  ASSERT_TRUE(
      small.until([&] { return small.pod("b") == nullptr || small.pod("b")->ended(); }, 60s));
  EXPECT_TRUE(small.until([&] { return !small.jobs("b").front().live(); }, 3s)) << "end to release";
  small.patch("/api/v1/nodes/n3", json::Object{{"spec", json::Object{{"unschedulable", true}}}});
  EXPECT_TRUE(small.until([&] { return small.world.node("n3").drained; }, 3s)) << "cordon to drain";
}

TEST(LatencyAndThroughput, FortyPodsWhoseJobsEndTogetherAreDeletedTogether) {
  constexpr int kPods = 40;
  SmallWorld small;
  const auto name = [](int i) { return fmt::format("p{}", i); };
  const auto all = [&](const std::function<bool(const std::string&)>& is_so) {
    for (int i = 0; i < kPods; ++i)
      if (!is_so(name(i))) return false;
    return true;
  };
  for (int i = 0; i < kPods; ++i) small.create(name(i), {{"exclusive", "false"}});
  ASSERT_TRUE(small.until([&] { return all([&](const auto& n) { return small.bound(n); }); }, 30s));
  small.pass(1min);
  for (int i = 0; i < kPods; ++i)
    small.world.slurm().end(small.jobs(name(i)).front().id, "CANCELLED", "None");
  EXPECT_TRUE(small.until([&] { return all([&](const auto& n) { return small.ending(n); }); }, 5s));
}

}  // namespace
}  // namespace issues
