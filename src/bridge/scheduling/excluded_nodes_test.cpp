// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/excluded_nodes.h"

#include <gtest/gtest.h>

namespace bridge::scheduling {
namespace {

using Names = std::vector<slurm::SlurmNodeName>;

const std::set<slurm::SlurmNodeName> kKnown{
    slurm::SlurmNodeName("n1"), slurm::SlurmNodeName("n2"), slurm::SlurmNodeName("n3")};

Names names(std::initializer_list<const char*> texts) {
  Names all;
  for (const char* text : texts) all.emplace_back(text);
  return all;
}

slurm::Job job_that_leaves_out(const Names& nodes) {
  slurm::Job job;
  job.state = slurm::JobState::pending;
  job.excluded_nodes = nodes;
  job.comment = excluded_nodes_mark(nodes);
  return job;
}

TEST(ExcludedNodesMark, DependsOnlyOnTheSetOfNodesAndIsEqualInEveryRelease) {
  EXPECT_EQ(excluded_nodes_mark({}), "");
  EXPECT_EQ(excluded_nodes_mark(names({"n2", "n1"})),
            excluded_nodes_mark(names({"n1", "n2", "n1"})));
  EXPECT_EQ(excluded_nodes_mark(names({"n1"})),
            "slurm-bridge: 1 node left out that cannot take the pod (21cefa1925f1cd04)");
  EXPECT_NE(excluded_nodes_mark(names({"n1", "2"})), excluded_nodes_mark(names({"n", "12"})));
}

TEST(ExcludedNodesUpdate, IsEmptyIfTheJobAlreadyExcludesTheNodes) {
  EXPECT_EQ(excluded_nodes_update(job_that_leaves_out({}), {}, kKnown), std::nullopt);
  EXPECT_EQ(
      excluded_nodes_update(job_that_leaves_out(names({"n1", "n2"})), names({"n2", "n1"}), kKnown),
      std::nullopt);
}

TEST(ExcludedNodesUpdate, AddsAndRemovesNodes) {
  auto more =
      excluded_nodes_update(job_that_leaves_out(names({"n1"})), names({"n1", "n2"}), kKnown);
  ASSERT_TRUE(more);
  EXPECT_EQ(more->excluded_nodes, names({"n1", "n2"}));
  EXPECT_EQ(more->comment, excluded_nodes_mark(names({"n1", "n2"})));

  auto none = excluded_nodes_update(job_that_leaves_out(names({"n1"})), {}, kKnown);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->excluded_nodes, Names());
  EXPECT_EQ(none->comment, "");
}

TEST(ExcludedNodesUpdate, NamesNoNodeThatSlurmDoesNotKnow) {
  EXPECT_EQ(excluded_nodes_update(job_that_leaves_out({}), names({"gone"}), kKnown), std::nullopt);
}

TEST(ExcludedNodesUpdate, RemovesNoNodeFromAListThatIsNotOurs) {
  slurm::Job job = job_that_leaves_out(names({"n1"}));
  job.excluded_nodes = names({"n1", "n3"});  // an administrator or a job_submit script added n3
  EXPECT_EQ(excluded_nodes_update(job, names({"n1"}), kKnown), std::nullopt);
  EXPECT_EQ(excluded_nodes_update(job, {}, kKnown), std::nullopt);

  const auto more = excluded_nodes_update(job, names({"n2"}), kKnown);
  ASSERT_TRUE(more);
  EXPECT_EQ(more->excluded_nodes, names({"n1", "n2", "n3"}));
  EXPECT_EQ(more->comment, std::nullopt) << "with our mark the list would count as ours";

  job.excluded_nodes = names({"gone", "n3"});
  EXPECT_EQ(excluded_nodes_update(job, {}, kKnown), std::nullopt);
}

TEST(ExcludedNodesUpdate, IsEmptyForAListThatCannotBeParsed) {
  slurm::Job job = job_that_leaves_out({});
  job.node_lists_readable = false;
  EXPECT_EQ(excluded_nodes_update(job, names({"n2"}), kKnown), std::nullopt);
}

TEST(ExcludedNodesUpdate, IsEmptyForAJobWithRequiredNodes) {
  slurm::Job job = job_that_leaves_out({});
  job.required_nodes = names({"n1"});
  EXPECT_EQ(excluded_nodes_update(job, names({"n2"}), kKnown), std::nullopt);
}

}  // namespace
}  // namespace bridge::scheduling
