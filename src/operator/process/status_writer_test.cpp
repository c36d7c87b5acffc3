// SPDX-License-Identifier: Apache-2.0
#include "operator/process/status_writer.h"

#include "operator/process/testing_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::process {
namespace {

struct StatusWriterTest : testing::StoresTest {
  StatusWriterTest() {
    world.add_cluster("a");
    world.add_node_set("s");
    fill();
  }
  base::Result<void> write(const ClusterRef& cluster, const json::Object& status) {
    return world.run(writer.write(
        cluster, status, {{"s", json::Object{{"replicas", 2}}}, {"gone", json::Object{}}}));
  }
  StatusWriter writer{world.access, stores};
};

TEST_F(StatusWriterTest, AStatusIsWrittenOnlyIfItDiffers) {
  ASSERT_TRUE(write(world.ref("a"), {{"phase", "Ready"}}).ok());
  EXPECT_EQ(world.text("slurmclusters", "a", {"status", "phase"}), "Ready");
  EXPECT_EQ(world.text("nodesets", "s", {"status", "replicas"}), "2");
  const std::size_t writes = world.transport.writes();
  ASSERT_TRUE(write(world.ref("a"), {{"phase", "Ready"}}).ok());  // the watch has not answered yet
  settle_down();
  ASSERT_TRUE(write(world.ref("a"), {{"phase", "Ready"}}).ok());
  EXPECT_EQ(world.transport.writes(), writes);
  ASSERT_TRUE(write(world.ref("a"), {{"phase", "Degraded"}}).ok());
  EXPECT_EQ(world.text("slurmclusters", "a", {"status", "phase"}), "Degraded");
}

TEST_F(StatusWriterTest, ALaterClusterOfTheSameNameIsNotChanged) {
  const ClusterRef old = world.ref("a");
  world.delete_cluster("a");
  world.add_cluster("a");
  (void)write(old, {{"phase", "Ready"}});  // before the watch has shown it
  EXPECT_EQ(world.text("slurmclusters", "a", {"status", "phase"}), "");
  settle_down();
  ASSERT_TRUE(write(old, {{"phase", "Ready"}}).ok());
  EXPECT_EQ(world.text("slurmclusters", "a", {"status", "phase"}), "");
}

TEST_F(StatusWriterTest, ADeletedClusterIsNotAnError) {
  const ClusterRef old = world.ref("a");
  world.delete_cluster("a");
  EXPECT_TRUE(write(old, {{"phase", "Ready"}}).ok());
}

}  // namespace
}  // namespace slurmop::process
