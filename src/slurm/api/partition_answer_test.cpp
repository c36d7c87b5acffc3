// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/partition_answer.h"

#include "slurm/testing/sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurm::inline api {
namespace {

using testing::answer;
using testing::sample;

TEST(Partitions, AreReadWithTheirNodes) {
  const auto all = partitions(sample("partitions"));
  ASSERT_TRUE(all.ok()) << all.error().to_string();
  ASSERT_EQ(all->size(), 8U);
  EXPECT_EQ(all->front().name, "ext");
  EXPECT_TRUE(all->front().is_default);
  EXPECT_TRUE(all->front().up);
  ASSERT_EQ(all->front().nodes.size(), 64U);
  EXPECT_EQ(all->front().nodes.back(), SlurmNodeName("k064"));
  EXPECT_FALSE(all->back().is_default);
  EXPECT_EQ(all->back().nodes.size(), 66U);
}

TEST(Partitions, OneThatIsDownIsNotUp) {
  const auto all = partitions(
      answer(200, R"({"partitions":[{"name":"p","partition":{"state":["DOWN"]}}],"errors":[]})"));
  ASSERT_TRUE(all.ok());
  EXPECT_FALSE(all->front().up);
  EXPECT_TRUE(all->front().nodes.empty());
}

TEST(Partitions, AnErrorOrAListThatCannotBeReadIsNeverAnEmptyOne) {
  EXPECT_FALSE(partitions(sample("err-expired-token")).ok());
  EXPECT_FALSE(partitions(answer(200, R"({"errors":[]})")).ok());
  EXPECT_FALSE(
      partitions(answer(200, R"({"partitions":[{"nodes":{"configured":"n["}}],"errors":[]})"))
          .ok());
}

}  // namespace
}  // namespace slurm::inline api
