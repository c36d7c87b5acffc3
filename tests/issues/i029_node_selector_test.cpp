// SPDX-License-Identifier: Apache-2.0
// #29, 10.4x: nodeSelector and node affinity were ignored.
#include "bridge/exclusions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge {
namespace {

using slurm::SlurmNodeName;
using ::testing::ElementsAre;

struct Issue029 : ::testing::Test {
  Issue029() {
    with.metadata.labels["zone"] = "a";
    in_a.name = SlurmNodeName("s-a");
    in_b.name = SlurmNodeName("s-b");
  }
  std::vector<SlurmNodeName> excluded() const {
    const Candidate all[] = {{in_a, &with, {}}, {in_b, &without, {}}};
    return exclusions({pod, "", {}, {}}, all).nodes;
  }

  kube::Node with, without;
  slurm::Node in_a, in_b;
  kube::Pod pod;
};

TEST_F(Issue029, NodesThatTheSelectorDoesNotMeanAreNotGivenToSlurm) {
  pod.spec.nodeSelector["zone"] = "a";
  EXPECT_THAT(excluded(), ElementsAre(SlurmNodeName("s-b")));
}

TEST_F(Issue029, NorThoseThatTheRequiredAffinityDoesNotMean) {
  pod.spec.affinity.emplace()
      .nodeAffinity.emplace()
      .requiredDuringSchedulingIgnoredDuringExecution =
      kube::NodeSelector{{{{{"zone", "DoesNotExist", {}}}, {}}}};
  EXPECT_THAT(excluded(), ElementsAre(SlurmNodeName("s-a")));
}

}  // namespace
}  // namespace bridge
