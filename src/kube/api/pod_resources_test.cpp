// SPDX-License-Identifier: Apache-2.0
#include "kube/api/pod_resources.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

namespace kube::inline api {
namespace {

base::Quantity q(std::string_view text) {
  return base::Quantity::parse(text).value();
}

Container asking(const ResourceList& requests, const std::string& restart = "") {
  Container it;
  it.resources.requests = requests;
  it.restartPolicy = restart;
  return it;
}

Container sidecar(const ResourceList& requests) {
  return asking(requests, "Always");
}

PodSpec two_containers() {
  PodSpec spec;
  spec.containers = {asking({{"cpu", q("1500m")}, {"memory", q("1Gi")}}),
                     asking({{"cpu", q("500m")}, {"memory", q("512Mi")}})};
  return spec;
}

TEST(PodResources, AppContainersAddUp) {
  const auto requests = pod_requests(two_containers());
  EXPECT_EQ(requests->at("cpu"), q("2"));
  EXPECT_EQ(requests->at("memory"), q("1536Mi"));
}

TEST(PodResources, InitContainersCountTheirMaximumWithTheSidecarsBeforeThem) {
  PodSpec spec = two_containers();
  spec.initContainers = {asking({{"cpu", q("1")}, {"memory", q("1Gi")}}),
                         sidecar({{"cpu", q("1")}, {"memory", q("256Mi")}}),
                         asking({{"cpu", q("4")}, {"memory", q("1Gi")}})};
  const auto requests = pod_requests(spec);
  EXPECT_EQ(requests->at("cpu"), q("5"));          // the last init container and the sidecar
  EXPECT_EQ(requests->at("memory"), q("1792Mi"));  // all app containers and the sidecar
}

TEST(PodResources, AnInitContainerDoesNotRunWithLaterSidecars) {
  PodSpec spec;
  spec.containers = {asking({{"cpu", q("1")}})};
  spec.initContainers = {asking({{"cpu", q("4")}}), sidecar({{"cpu", q("2")}})};
  EXPECT_EQ(pod_requests(spec)->at("cpu"), q("4"));
}

TEST(PodResources, PodLevelRequestsTakePrecedenceAndOverheadIsAdded) {
  PodSpec spec = two_containers();
  spec.resources.emplace().requests = {{"cpu", q("8")}};
  spec.overhead = {{"cpu", q("250m")}, {"memory", q("64Mi")}};
  const auto requests = pod_requests(spec);
  EXPECT_EQ(requests->at("cpu"), q("8250m"));
  EXPECT_EQ(requests->at("memory"), q("1600Mi"));
}

TEST(PodResources, AtPodLevelOnlyCpuMemoryAndHugePagesCount) {
  PodSpec spec;
  spec.containers = {asking({{"nvidia.com/gpu", q("1")}, {"hugepages-2Mi", q("4Mi")}})};
  spec.resources.emplace().requests = {{"cpu", q("1")},
                                       {"ephemeral-storage", q("1Gi")},
                                       {"hugepages-2Mi", q("8Mi")},
                                       {"nvidia.com/gpu", q("8")}};
  EXPECT_EQ(
      *pod_requests(spec),
      (ResourceList{{"cpu", q("1")}, {"hugepages-2Mi", q("8Mi")}, {"nvidia.com/gpu", q("1")}}));
}

TEST(PodResources, OverheadCountsForLimitsOnlyIfThereIsALimit) {
  PodSpec spec;
  spec.containers = {Container()};
  spec.containers[0].resources.limits = {{"memory", q("1Gi")}};
  spec.overhead = {{"cpu", q("250m")}, {"memory", q("64Mi")}};
  EXPECT_EQ(*pod_limits(spec), (ResourceList{{"memory", q("1088Mi")}}));
}

TEST(PodResources, AnOverflowIsAnErrorThatNamesTheResource) {
  PodSpec spec;
  spec.containers = {asking({{"memory", q("8E")}}), asking({{"memory", q("8E")}})};
  EXPECT_TRUE(pod_requests(spec).error().message().starts_with("memory: "));
}

// What a pod needs at each moment of its life, calculated step by step.
std::int64_t by_going_through(const PodSpec& spec) {
  std::int64_t most = 0;
  std::int64_t sidecars = 0;
  for (const Container& container : spec.initContainers) {
    const std::int64_t own = container.resources.requests.at("cpu").value();
    most = std::max(most, sidecars + own);
    if (container.restartPolicy == "Always") sidecars += own;
  }
  std::int64_t running = sidecars;
  for (const Container& container : spec.containers)
    running += container.resources.requests.at("cpu").value();
  return std::max(most, running);
}

TEST(PodResources, AreTheMaximumOverAllMomentsOfThePod) {
  const bool held = rc::check("requests", [] {
    const auto some = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(0, 3), rc::gen::inRange(0, 100)));
    PodSpec spec;
    for (const auto& [what, cpus] : some) {
      const ResourceList requests{{"cpu", base::Quantity::units(cpus)}};
      if (what == 0) spec.containers.push_back(asking(requests));
      if (what == 1) spec.initContainers.push_back(asking(requests));
      if (what == 2) spec.initContainers.push_back(sidecar(requests));
    }
    if (some.empty()) return;
    RC_ASSERT(pod_requests(spec)->at("cpu").value() == by_going_through(spec));
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace kube::inline api
