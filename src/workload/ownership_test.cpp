// SPDX-License-Identifier: Apache-2.0
#include "workload/ownership.h"

#include "workload/wellknown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workload {
namespace {

using base::Error;
using base::Kind;
using ::testing::HasSubstr;
using Annotations = std::map<std::string, std::string>;

const std::string kQos = kJobAnnotationPrefix + "qos";

kube::OwnerReference controller(const std::string& api, const std::string& kind) {
  return {api, kind, "its-" + kind, kube::Uid("uid-of-" + kind), true};
}

const kube::OwnerReference kJob = controller("batch/v1", "Job");
const kube::OwnerReference kCronJob = controller("batch/v1", "CronJob");
const kube::OwnerReference kJobSet = controller("jobset.x-k8s.io/v1alpha2", "JobSet");
const kube::OwnerReference kTrainJob = controller("trainer.kubeflow.org/v1alpha1", "TrainJob");
const kube::OwnerReference kReplicaSet = controller("apps/v1", "ReplicaSet");
const kube::OwnerReference kDeployment = controller("apps/v1", "Deployment");
const kube::OwnerReference kStatefulSet = controller("apps/v1", "StatefulSet");
const kube::OwnerReference kRay = controller("ray.io/v1", "RayCluster");

kube::Pod pod_of(const std::vector<kube::OwnerReference>& owners) {
  kube::Pod pod;
  pod.metadata.namespace_ = "a";
  pod.metadata.name = "p";
  if (!owners.empty()) pod.metadata.ownerReferences = {owners.front()};
  return pod;
}

// Every owner of a chain can be read; each has its own kind as its QOS.
Owner owner_in(const std::vector<kube::OwnerReference>& chain, std::size_t i) {
  Owner owner;
  owner.metadata.annotations = {{kQos, chain[i].kind}, {"unrelated", "x"}};
  if (i + 1 < chain.size()) owner.metadata.ownerReferences = {chain[i + 1]};
  if (chain[i].kind == "Job") owner.activeDeadlineSeconds = 600;
  return owner;
}

Ownership walked(const std::vector<kube::OwnerReference>& chain) {
  OwnerWalk walk(pod_of(chain));
  for (std::size_t i = 0; walk.next(); ++i) walk.read(owner_in(chain, i));
  return walk.result();
}

TEST(Ownership, TheHighestOwnerOfAKnownKindIsTheRoot) {
  struct Row {
    std::vector<kube::OwnerReference> chain;
    RootKind kind;
    std::string root;
    bool deadline;
  };
  const Row kRows[] = {
      {{}, RootKind::pod, "", false},
      {{kReplicaSet}, RootKind::pod, "ReplicaSet", false},
      {{kReplicaSet, kDeployment}, RootKind::pod, "Deployment", false},
      {{kStatefulSet}, RootKind::pod, "StatefulSet", false},
      {{kRay}, RootKind::pod, "RayCluster", false},
      {{kJob}, RootKind::job, "Job", true},
      {{kJob, kCronJob}, RootKind::job, "Job", true},
      {{kJob, kJobSet}, RootKind::job_set, "JobSet", true},
      {{kJob, kJobSet, kTrainJob}, RootKind::job_set, "JobSet", true},
      {{kRay, kJob}, RootKind::job, "Job", true},
  };
  for (const Row& row : kRows) {
    const Ownership found = walked(row.chain);
    EXPECT_EQ(found.kind, row.kind) << row.root;
    EXPECT_EQ(found.root, row.root.empty() ? "" : row.root + " a/its-" + row.root);
    EXPECT_EQ(found.activeDeadlineSeconds.has_value(), row.deadline) << row.root;
    EXPECT_EQ(found.annotations, row.root.empty() ? Annotations() : (Annotations{{kQos, row.root}}))
        << "the root's, and only what is about the job";
  }
}

TEST(Ownership, AnOwnerThatIsNotTheControllerIsNotRead) {
  kube::Pod pod = pod_of({kJob});
  pod.metadata.ownerReferences[0].controller = false;
  EXPECT_EQ(OwnerWalk(pod).next(), std::nullopt);
}

TEST(Ownership, WhatTheRootDoesNotSayTheOwnersBelowItMay) {
  OwnerWalk walk(pod_of({kJob}));
  Owner job;
  job.metadata.annotations = {{kQos, "job"}, {kJobAnnotationPrefix + "account", "job"}};
  job.metadata.ownerReferences = {kJobSet};
  walk.read(job);
  Owner set;
  set.metadata.annotations = {{kQos, "set"}};
  walk.read(set);
  EXPECT_EQ(walk.result().annotations,
            (Annotations{{kQos, "set"}, {kJobAnnotationPrefix + "account", "job"}}));
}

TEST(Ownership, WhatCannotBeReadEndsTheWalkOrIsAnErrorByItsKind) {
  struct Row {
    std::string_view what;
    std::vector<kube::OwnerReference> chain;  // the last one cannot be read
    Kind error;
    std::string root;  // "error": the walk fails
  };
  const Row kRows[] = {
      {"a kind without a say, above", {kReplicaSet, kDeployment}, Kind::forbidden, "ReplicaSet"},
      {"above a Job", {kJob, kCronJob}, Kind::forbidden, "Job"},
      {"a kind without a say, direct", {kRay}, Kind::forbidden, ""},
      {"a kind that is not served", {kJob, kTrainJob}, Kind::invalid, "Job"},
      {"a known kind", {kJob}, Kind::forbidden, "error"},
      {"a known kind above", {kJob, kJobSet}, Kind::forbidden, "error"},
      {"gone", {kJob}, Kind::not_found, "error"},
      {"gone above", {kReplicaSet, kDeployment}, Kind::not_found, "error"},
      {"no answer", {kReplicaSet}, Kind::lost, "error"},
      {"not now", {kReplicaSet, kDeployment}, Kind::unavailable, "error"},
      {"who are we", {kRay}, Kind::unauthorized, "error"},
  };
  for (const Row& row : kRows) {
    OwnerWalk walk(pod_of(row.chain));
    for (std::size_t i = 0; i + 1 < row.chain.size(); ++i) walk.read(owner_in(row.chain, i));
    const auto failed = walk.failed(Error(row.error, "failed"));
    if (row.root == "error") {
      ASSERT_FALSE(failed.ok()) << row.what;
      EXPECT_TRUE(failed.error().is(row.error)) << row.what;
      EXPECT_THAT(failed.error().message(), HasSubstr("a/its-" + row.chain.back().kind));
      continue;
    }
    EXPECT_TRUE(failed.ok()) << row.what;
    EXPECT_EQ(walk.next(), std::nullopt) << row.what;
    EXPECT_EQ(walk.result().root, row.root.empty() ? "" : row.root + " a/its-" + row.root);
  }
}

TEST(Ownership, ACircleOfOwnersEndsTheWalk) {
  OwnerWalk walk(pod_of({kReplicaSet}));
  Owner up;
  up.metadata.ownerReferences = {kDeployment};
  walk.read(up);
  Owner down;
  down.metadata.ownerReferences = {kReplicaSet};
  walk.read(down);
  EXPECT_EQ(walk.next(), std::nullopt);
  EXPECT_EQ(walk.result().root, "Deployment a/its-Deployment");
}

TEST(Ownership, ATowerOfOwnersIsClimbedThirtyTwoHigh) {
  const auto floor = [](int n) { return controller("x/v1", "Floor" + std::to_string(n)); };
  OwnerWalk walk(pod_of({floor(0)}));
  int read = 0;
  while (walk.next()) {
    Owner owner;
    owner.metadata.ownerReferences = {floor(++read)};
    walk.read(owner);
  }
  EXPECT_EQ(read, 32);
}

TEST(Ownership, TheOwnersOverrideThePodsAnnotations) {
  kube::Pod pod = pod_of({});
  pod.metadata.annotations = {{kQos, "pod"}, {"unrelated", "x"}};
  EXPECT_EQ(job_annotations(pod, {}), (Annotations{{kQos, "pod"}}));
  Ownership owners;
  owners.annotations = {{kQos, "job"}};
  EXPECT_EQ(job_annotations(pod, owners), (Annotations{{kQos, "job"}}));
}

Owner decoded(std::string_view text) {
  json::Parser parser;
  return kube::decode_object<Owner>(parser.parse(text).value()).value();
}

TEST(Owner, OnlyAJobsDeadlineIsADeadline) {
  EXPECT_EQ(decoded(R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"uid":"u"},
                        "spec":{"activeDeadlineSeconds":90}})")
                .activeDeadlineSeconds,
            90);
  EXPECT_EQ(decoded(R"({"apiVersion":"x/v1","kind":"Job","spec":{"activeDeadlineSeconds":"?"}})")
                .activeDeadlineSeconds,
            std::nullopt);
}

}  // namespace
}  // namespace workload
