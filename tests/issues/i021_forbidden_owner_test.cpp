// SPDX-License-Identifier: Apache-2.0
// #21, #22: pods of a Deployment were never scheduled, because reading the owner was forbidden.
#include "workload/ownership.h"

#include <gtest/gtest.h>

namespace workload {
namespace {

using base::Error;
using base::Kind;

kube::Pod owned_by(const std::string& api, const std::string& kind) {
  kube::Pod pod;
  pod.metadata.namespace_ = "a";
  pod.metadata.ownerReferences = {{api, kind, "its-owner", kube::Uid("u-9"), true}};
  return pod;
}

TEST(Issue021, AnOwnerThatMayNotBeReadHasNoSay) {
  for (const auto& [api, kind] :
       {std::pair{"apps/v1", "ReplicaSet"}, {"ray.io/v1", "RayCluster"}}) {
    OwnerWalk walk(owned_by(api, kind));
    ASSERT_TRUE(walk.next());
    EXPECT_TRUE(walk.failed(Error(Kind::forbidden, "may not get")).ok()) << kind;
    EXPECT_FALSE(walk.next());
    EXPECT_EQ(walk.result(), Ownership());
  }
}

TEST(Issue021, WhatAJobSaysIsNotGuessed) {
  OwnerWalk walk(owned_by("batch/v1", "Job"));
  EXPECT_FALSE(walk.failed(Error(Kind::forbidden, "may not get")).ok());
}

}  // namespace
}  // namespace workload
