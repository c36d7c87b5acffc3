// SPDX-License-Identifier: Apache-2.0
#include "operator/process/object_writer.h"

#include "operator/process/testing_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::process {
namespace {

using base::Kind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct ObjectWriterTest : testing::StoresTest {
  ObjectWriterTest() {
    world.add_cluster("a");
    fill();
  }

  json::Object object(const char* api, const char* kind, const std::string& name) const {
    const auto text = fmt::format(
        R"({{"apiVersion":"{}","kind":"{}","metadata":{{"name":"{}","namespace":"default",{},
             "ownerReferences":[{{"apiVersion":"slurm.nebius.ai/v1","kind":"SlurmCluster","name":"a",
             "uid":"{}","controller":true}}]}}}})",
        api,
        kind,
        name,
        world.labels("a"),
        world.ref("a").uid);
    return *json::parse(text)->as_object();
  }
  json::Object config_map(const std::string& name, std::string value = "1") const {
    json::Object map = object("v1", "ConfigMap", name);
    map.set("data", json::Object{{"x", std::move(value)}});
    return map;
  }
  base::Result<void> apply(const std::vector<json::Object>& objects) {
    outcome = {};
    auto applied = world.run(writer.apply(world.ref("a"), objects, outcome));
    settle_down();
    return applied;
  }
  base::Result<void> prune(const std::vector<json::Object>& objects) {
    outcome = {};
    auto pruned = world.run(writer.prune(world.ref("a"), objects, outcome));
    settle_down();
    return pruned;
  }

  ObjectWriter writer{world.access, stores};
  PassOutcome outcome;
};

TEST_F(ObjectWriterTest, ObjectsAreWrittenOnceAndThenOnlyWhenTheyDiffer) {
  ASSERT_TRUE(apply({config_map("m")}).ok());
  EXPECT_EQ(world.text("configmaps", "m", {"data", "x"}), "1");
  const std::size_t writes = world.transport.writes();
  ASSERT_TRUE(apply({config_map("m")}).ok());
  EXPECT_EQ(world.transport.writes(), writes);
  ASSERT_TRUE(apply({config_map("m", "2")}).ok());
  EXPECT_EQ(world.text("configmaps", "m", {"data", "x"}), "2");
  // A user changes the object: the next pass restores it.
  world.send("PATCH", "/api/v1/namespaces/default/configmaps/m", R"({"data":{"x":"user"}})");
  settle_down();
  ASSERT_TRUE(apply({config_map("m", "2")}).ok());
  EXPECT_EQ(world.text("configmaps", "m", {"data", "x"}), "2");
}

TEST_F(ObjectWriterTest, AWatchThatLagsBehindCausesNoSecondWrite) {
  (void)world.run(writer.apply(world.ref("a"), {config_map("m")}, outcome));
  const std::size_t writes = world.transport.writes();
  (void)world.run(writer.apply(world.ref("a"), {config_map("m")}, outcome));
  EXPECT_EQ(world.transport.writes(), writes);
}

TEST_F(ObjectWriterTest, ARejectedObjectDoesNotKeepTheOthersFromBeingWritten) {
  ASSERT_TRUE(apply({config_map("Not_A_Name"), config_map("m")}).ok());
  EXPECT_TRUE(world.exists("configmaps", "m"));
  EXPECT_THAT(outcome.failures, ElementsAre(HasSubstr("configmaps default/Not_A_Name")));
}

TEST_F(ObjectWriterTest, AnObjectOfAnotherPersonIsNotTouched) {
  world.send("POST",
             "/api/v1/namespaces/default/configmaps",
             R"({"metadata":{"name":"m"},"data":{"x":"theirs"}})");
  ASSERT_TRUE(apply({config_map("m")}).ok());
  EXPECT_EQ(world.text("configmaps", "m", {"data", "x"}), "theirs");
  EXPECT_THAT(outcome.failures, ElementsAre(HasSubstr("was not created by this operator")));
}

TEST_F(ObjectWriterTest, AnObjectOfAnEarlierClusterOfTheSameNameIsNotAdopted) {
  ASSERT_TRUE(apply({config_map("m")}).ok());
  world.delete_cluster("a");  // the garbage collector has not run yet
  world.add_cluster("a");
  settle_down();
  ASSERT_TRUE(apply({config_map("m", "2")}).ok());
  EXPECT_EQ(world.text("configmaps", "m", {"data", "x"}), "1");
  EXPECT_THAT(outcome.failures, ElementsAre(HasSubstr("belongs to an earlier SlurmCluster a")));
}

TEST_F(ObjectWriterTest, ANamespaceThatIsBeingDeletedRejectsEachObject) {
  world.send(
      "PATCH", "/api/v1/namespaces/default", R"({"metadata":{"finalizers":["example.com/wait"]}})");
  world.send("DELETE", "/api/v1/namespaces/default");
  EXPECT_TRUE(apply({config_map("m"), config_map("n")}).ok());
  EXPECT_EQ(outcome.failures.size(), 2U);
}

TEST(ObjectRemedy, NamesTheCommandForAnImmutableField) {
  const base::Error invalid(Kind::invalid, "updates to statefulset spec are forbidden");
  kube::DynamicObject live;
  live.kind = "StatefulSet";
  live.metadata.name = "controller";
  live.metadata.namespace_ = "hpc";
  EXPECT_THAT(with_remedy(invalid, live).message(),
              HasSubstr("kubectl delete StatefulSet controller -n hpc --cascade=orphan"));
  live.kind = "ConfigMap";
  EXPECT_EQ(with_remedy(invalid, live).message(), invalid.message());
  live.kind = "Service";
  const base::Error forbidden(Kind::forbidden, "no");
  EXPECT_EQ(with_remedy(forbidden, live).message(), "no");
}

TEST_F(ObjectWriterTest, PruningDeletesOnlyWhatThisClusterOwnsAndNoLongerWants) {
  json::Object not_owned = config_map("not-owned");
  (*not_owned.find("metadata")).as_object()->erase("ownerReferences");
  ASSERT_TRUE(apply({config_map("old"),
                     config_map("kept"),
                     object("v1", "ServiceAccount", "old"),
                     object("v1", "PersistentVolumeClaim", "data"),
                     not_owned})
                  .ok());
  EXPECT_THAT(outcome.failures, IsEmpty());
  world.send("POST", "/api/v1/namespaces/default/configmaps", R"({"metadata":{"name":"theirs"}})");
  ASSERT_TRUE(prune({config_map("kept")}).ok());
  EXPECT_FALSE(world.exists("configmaps", "old"));
  EXPECT_FALSE(world.exists("serviceaccounts", "old"));
  EXPECT_TRUE(world.exists("configmaps", "kept"));
  EXPECT_TRUE(world.exists("configmaps", "not-owned"));
  EXPECT_TRUE(world.exists("configmaps", "theirs"));
  EXPECT_TRUE(world.exists("persistentvolumeclaims", "data"));
}

TEST_F(ObjectWriterTest, AKindThatIsNotCachedIsABugThatIsReported) {
  ASSERT_TRUE(apply({object("batch/v1", "Job", "j")}).ok());
  EXPECT_THAT(outcome.failures, ElementsAre(HasSubstr("objects of kind Job are not created")));
}

}  // namespace
}  // namespace slurmop::process
