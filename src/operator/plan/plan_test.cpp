// SPDX-License-Identifier: Apache-2.0
#include "operator/plan/plan.h"

#include "base/rfc3339.h"
#include "operator/objects/labels.h"
#include "operator/plan/cluster_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace slurmop::plan {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr std::string_view kCluster = R"({
  "apiVersion": "slurm.nebius.ai/v1", "kind": "SlurmCluster",
  "metadata": {"name": "demo", "namespace": "hpc", "uid": "u1", "generation": 3},
  "spec": {"slurmNodes": {"worker": {"size": 2}, "accounting": {"enabled": true}}}})";

Known known(std::string_view cluster = kCluster) {
  Known facts;
  facts.cluster = *json::parse(cluster);
  facts.slurm = workers::SlurmUnknown{"slurmrestd does not answer"};
  facts.now = *base::parse_rfc3339("2026-11-18T10:00:00Z");
  return facts;
}

kube::ObservedPod worker(int ordinal) {
  kube::ObservedPod pod;
  pod.metadata.name = "worker-" + std::to_string(ordinal);
  pod.metadata.namespace_ = "hpc";
  pod.metadata.uid = kube::Uid("w" + std::to_string(ordinal));
  pod.metadata.labels = {{std::string(objects::kNodeSetLabel), "worker"},
                         {std::string(objects::kComponent), "worker"}};
  pod.metadata.ownerReferences = {{.apiVersion = "slurm.nebius.ai/v1",
                                   .kind = "SlurmCluster",
                                   .name = "demo",
                                   .uid = kube::Uid("u1"),
                                   .controller = true}};
  pod.status.phase = "Running";
  return pod;
}

const json::Object* find(const Plan& plan, std::string_view kind, std::string_view name) {
  for (const json::Object& object : plan.objects) {
    const json::Value* found = object.find("metadata")->find("name");
    if (*object.find("kind") == json::Value(kind) && *found == json::Value(name)) return &object;
  }
  return nullptr;
}

std::string condition(const json::Object& status, std::string_view type, std::string_view field) {
  for (const json::Value& entry : *status.find("conditions")->as_array()) {
    if (*entry.find("type") == json::Value(type)) return *entry.find(field)->as_string();
  }
  return "absent";
}

TEST(Plan, ANewClusterGetsAllItsObjects) {
  const Plan first = plan(known());
  EXPECT_NE(find(first, "StatefulSet", "controller"), nullptr);
  EXPECT_NE(find(first, "StatefulSet", "login"), nullptr);
  EXPECT_NE(find(first, "Deployment", "accounting"), nullptr);
  EXPECT_NE(find(first, "Deployment", "rest"), nullptr);
  EXPECT_NE(find(first, "ConfigMap", "demo-slurm-configs"), nullptr);
  EXPECT_TRUE(first.prune);
  EXPECT_FALSE(first.secrets.empty());
  EXPECT_EQ(first.pods.size(), 2U) << "both workers start with slurmctld";
  EXPECT_EQ(*first.status.find("phase"), json::Value("Pending"));
  EXPECT_EQ(condition(first.status, "Ready", "status"), "Unknown");
  EXPECT_EQ(first.again, 10s);
}

TEST(Plan, ExistingSecretsAreNotOrderedAgain) {
  Known facts = known();
  for (const parts::SecretOrder& order : plan(facts).secrets) facts.secrets.insert(order.name);
  EXPECT_TRUE(plan(facts).secrets.empty());
}

TEST(Plan, AnInvalidResourceChangesNothingButItsCondition) {
  const Plan invalid = plan(known(R"({
    "apiVersion": "slurm.nebius.ai/v1", "kind": "SlurmCluster",
    "metadata": {"name": "demo", "namespace": "hpc", "uid": "u1", "generation": 3},
    "spec": {"customSlurmConfig": "KilWait=3", "slurmNodes": {"worker": {"size": 2}}},
    "status": {"phase": "Available", "readyWorkers": 2}})"));
  EXPECT_TRUE(invalid.objects.empty());
  EXPECT_FALSE(invalid.prune);
  EXPECT_TRUE(invalid.pods.empty());
  EXPECT_TRUE(invalid.slurm.empty());
  EXPECT_EQ(condition(invalid.status, "Valid", "status"), "False");
  EXPECT_THAT(condition(invalid.status, "Valid", "message"), HasSubstr("KillWait"));
  EXPECT_EQ(*invalid.status.find("phase"), json::Value("Available"));
  EXPECT_EQ(*invalid.status.find("readyWorkers"), json::Value(2));
}

TEST(Plan, AClusterThatIsBeingDeletedIsLeftToTheGarbageCollector) {
  const Plan nothing = plan(known(R"({
    "apiVersion": "slurm.nebius.ai/v1", "kind": "SlurmCluster",
    "metadata": {"name": "demo", "namespace": "hpc", "uid": "u1", "deletionTimestamp": "2026-11-18T10:00:00Z"},
    "spec": {"slurmNodes": {"worker": {"size": 2}}}})"));
  EXPECT_TRUE(nothing.objects.empty());
  EXPECT_FALSE(nothing.prune);
  EXPECT_TRUE(nothing.pods.empty());
}

TEST(Plan, WhileSlurmIsUnknownTheWorkersOfARunningClusterStay) {
  Known facts = known(R"({
    "apiVersion": "slurm.nebius.ai/v1", "kind": "SlurmCluster",
    "metadata": {"name": "demo", "namespace": "hpc", "uid": "u1"},
    "spec": {"slurmNodes": {"worker": {"size": 0}}}, "status": {"phase": "Available", "naming": "short"}})");
  facts.recorded.naming = settle::Naming::short_names;
  facts.pods = {worker(0), worker(1)};
  for (const char* object : {"StatefulSet/controller", "StatefulSet/login", "Deployment/rest"})
    facts.rollouts[object] = Rollout{.desired = 1, .ready = 1, .current = true};
  const Plan careful = plan(facts);
  EXPECT_TRUE(careful.pods.empty());
  EXPECT_TRUE(careful.slurm.empty());
  EXPECT_EQ(*careful.status.find("phase"), json::Value("Available")) << "unknown is not down";
}

TEST(Plan, WorkersOfARemovedSetAreDrained) {
  Known facts = known(R"({
    "apiVersion": "slurm.nebius.ai/v1", "kind": "SlurmCluster",
    "metadata": {"name": "demo", "namespace": "hpc", "uid": "u1"},
    "spec": {}, "status": {"phase": "Available", "naming": "short"}})");
  facts.recorded.naming = settle::Naming::short_names;
  facts.pods = {worker(0)};
  slurm::Node node;
  node.name = slurm::SlurmNodeName("worker-0");
  node.states = {"ALLOCATED"};
  facts.slurm = workers::SlurmKnown{.as_of = facts.now, .nodes = {{"worker-0", node}}};
  const Plan removal = plan(facts);
  EXPECT_TRUE(removal.pods.empty());
  ASSERT_EQ(removal.slurm.size(), 1U);
  EXPECT_EQ(std::get<workers::DrainNode>(removal.slurm[0]).node, "worker-0");
}

TEST(Plan, ADaemonStuckInACrashLoopIsReplacedAndAWorkerIsNot) {
  Known facts = known();
  kube::ContainerStatus crashed;
  crashed.name = "slurmctld";
  crashed.state.waiting = kube::ContainerStateWaiting{"CrashLoopBackOff", ""};
  crashed.lastState.terminated = kube::ContainerStateTerminated{
      .exitCode = 1, .reason = {}, .message = {}, .finishedAt = "2026-11-18T09:59:00Z"};
  kube::ObservedPod controller = worker(0);
  controller.metadata.name = "controller-0";
  controller.metadata.labels = {{std::string(objects::kComponent), "controller"}};
  controller.status.containerStatuses = {crashed};
  kube::ObservedPod slurmd = worker(1);
  slurmd.status.containerStatuses = {crashed};
  facts.pods = {controller, slurmd};
  std::vector<std::string> deleted;
  for (const PodAction& action : plan(facts).pods) {
    if (const auto* remove = std::get_if<workers::DeletePod>(&action))
      deleted.push_back(remove->pod.name);
  }
  EXPECT_EQ(deleted, std::vector<std::string>{"controller-0"});
}

TEST(Plan, TheStatusIsStableWhileNothingChanges) {
  Known facts = known();
  const Plan first = plan(facts);
  facts.cluster.as_object()->set("status", first.status);
  facts.recorded.naming = settle::Naming::short_names;
  facts.now += 1h;
  const Plan second = plan(facts);
  EXPECT_EQ(json::Value(first.status).dump(), json::Value(second.status).dump());
  EXPECT_TRUE(second.events.empty());
  EXPECT_EQ(first.objects, second.objects);
}

TEST(Plan, FailedWritesAreShown) {
  Known facts = known();
  facts.apply_failures = {
      "Service hpc/demo-login-svc: invalid: provided port is already allocated"};
  const Plan shown = plan(facts);
  EXPECT_EQ(condition(shown.status, "CommonAvailable", "status"), "False");
  EXPECT_THAT(condition(shown.status, "CommonAvailable", "message"),
              HasSubstr("already allocated"));
}

TEST(Plan, AClusterWithAReadyNodeAndAllComponentsIsAvailable) {
  Known facts = known();
  slurm::Node node;
  node.name = slurm::SlurmNodeName("worker-0");
  node.states = {"IDLE"};
  node.partitions = {"main"};
  workers::SlurmKnown slurm{.as_of = facts.now, .nodes = {{"worker-0", node}}};
  slurm.partitions = {{.name = "main", .up = true, .is_default = true, .nodes = {}}};
  facts.slurm = slurm;
  for (const char* object : {"StatefulSet/controller",
                             "StatefulSet/login",
                             "StatefulSet/accounting-db",
                             "Deployment/accounting",
                             "Deployment/rest"}) {
    facts.rollouts[object] = Rollout{.desired = 1, .ready = 1, .current = true};
  }
  const Plan available = plan(facts);
  EXPECT_EQ(*available.status.find("phase"), json::Value("Available"))
      << json::Value(available.status).dump();
  EXPECT_TRUE(std::ranges::any_of(
      available.events, [](const EventRecord& event) { return event.reason == "Available"; }));
}

}  // namespace
}  // namespace slurmop::plan
