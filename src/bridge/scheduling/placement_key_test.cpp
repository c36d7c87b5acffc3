// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/placement_key.h"

#include "base/quantity.h"
#include "bridge/testing/scheduling.h"

#include <gtest/gtest.h>

#include <functional>

namespace bridge::scheduling {
namespace {

using Change = std::function<void(kube::Pod&, PlacementRequest&)>;

PlacementKey key_after(const Change& change) {
  kube::Pod pod = testing::a_pod();
  PlacementRequest request{nullptr, "main", {}, {}};
  change(pod, request);
  request.pod = std::make_shared<const kube::Pod>(std::move(pod));
  return placement_key(request);
}

struct Row {
  const char* what;
  Change change;
  bool counts;
};

const Row kRows[] = {
    {"name", [](auto& pod, auto&) { pod.metadata.name = "other"; }, false},
    {"uid", [](auto& pod, auto&) { pod.metadata.uid = kube::Uid("u-2"); }, false},
    {"labels", [](auto& pod, auto&) { pod.metadata.labels["a"] = "b"; }, false},
    {"phase", [](auto& pod, auto&) { pod.status.phase = "Unknown"; }, false},
    {"scheduler", [](auto& pod, auto&) { pod.spec.schedulerName = "other"; }, true},
    {"nodeSelector", [](auto& pod, auto&) { pod.spec.nodeSelector["a"] = "b"; }, true},
    {"node affinity",
     [](auto& pod, auto&) {
       pod.spec.affinity =
           kube::Affinity{kube::NodeAffinity{kube::NodeSelector{{{{{"a", "Exists", {}}}, {}}}}}};
     },
     true},
    {"tolerations",
     [](auto& pod, auto&) { pod.spec.tolerations.push_back({"a", "Exists", "", "", {}}); },
     true},
    {"requests",
     [](auto& pod, auto&) {
       pod.spec.containers.resize(1);
       pod.spec.containers[0].resources.requests["cpu"] = *base::Quantity::parse("2");
     },
     true},
    {"partition", [](auto&, auto& request) { request.partition = "gpu"; }, true},
    {"places of volumes",
     [](auto&, auto& request) { request.volumes.places.push_back({"volume v", {}}); },
     true},
    {"nodes to avoid",
     [](auto&, auto& request) { request.avoid.insert(slurm::SlurmNodeName("n1")); },
     true},
};

TEST(PlacementKey, DependsOnlyOnFieldsThatDecideWhichNodesFit) {
  const PlacementKey plain = key_after([](auto&, auto&) {});
  for (const Row& row : kRows) EXPECT_EQ(key_after(row.change) != plain, row.counts) << row.what;
}

TEST(PlacementKey, SeparatesAdjacentValues) {
  const auto selects = [](const char* name, const char* value) {
    return key_after([=](auto& pod, auto&) { pod.spec.nodeSelector[name] = value; });
  };
  EXPECT_NE(selects("a", "bc"), selects("ab", "c"));
}

}  // namespace
}  // namespace bridge::scheduling
