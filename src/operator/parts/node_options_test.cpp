// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/node_options.h"

#include "base/quantity.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace slurmop::parts {
namespace {

settle::WorkerSet set_with(std::string cpu, std::string memory) {
  settle::WorkerSet set;
  set.name = "gpu";
  if (!cpu.empty()) set.spec.slurmd.resources["cpu"] = *base::Quantity::parse(cpu);
  if (!memory.empty()) set.spec.slurmd.resources["memory"] = *base::Quantity::parse(memory);
  return set;
}

struct Row {
  std::string_view cause;
  std::string cpu;
  std::string memory;
  std::string parameters;  // nodeConfig.static
  std::string want;
};

const Row kRows[] = {
    {"no resources: slurmd reports the hardware", "", "", "", "Feature=gpu"},
    {"whole CPUs and MiB", "4", "8Gi", "", "Feature=gpu CPUs=4 RealMemory=8192"},
    {"parts of a CPU do not count", "3900m", "", "", "Feature=gpu CPUs=3"},
    {"a node has at least one CPU", "100m", "1500k", "", "Feature=gpu CPUs=1 RealMemory=1"},
    {"zero is not an amount", "0", "0", "", "Feature=gpu"},
    {"further parameters",
     "4",
     "",
     "Gres=gpu:8 Weight=5",
     "Feature=gpu CPUs=4 Gres=gpu:8 Weight=5"},
    {"a given amount wins", "4", "8Gi", "cpus=2 REALMEMORY=5", "Feature=gpu cpus=2 REALMEMORY=5"},
    {"sockets determine the CPUs",
     "4",
     "",
     "Sockets=2 CoresPerSocket=8",
     "Feature=gpu Sockets=2 CoresPerSocket=8"},
    {"threads do not", "4", "", "ThreadsPerCore=2", "Feature=gpu CPUs=4 ThreadsPerCore=2"},
    {"what the operator decides is left out",
     "",
     "",
     "State=DOWN NodeName=x Features=y feature=z Weight=1 Port=3",
     "Feature=gpu Weight=1"},
    {"blanks are quoted", "", "", "Comment=\"a b\"", "Feature=gpu Comment=\"a b\""},
};

TEST(NodeOptions, describe_the_node) {
  for (const Row& row : kRows) {
    settle::WorkerSet set = set_with(row.cpu, row.memory);
    set.spec.nodeConfig.static_ = row.parameters;
    EXPECT_EQ(node_options(set), row.want) << row.cause;
    EXPECT_TRUE(check_node_options(set).ok()) << row.cause;
  }
}

TEST(NodeOptions, begin_with_the_feature_of_the_set) {
  settle::WorkerSet set = set_with("", "");
  set.spec.nodeConfig.features = {"ib", "gpu", "a100", "ib"};
  EXPECT_EQ(node_options(set), "Feature=gpu,ib,a100");
}

TEST(NodeOptions, name_another_port) {
  settle::WorkerSet set = set_with("", "");
  set.spec.slurmd.port = 7000;
  EXPECT_EQ(node_options(set), "Feature=gpu Port=7000");
}

TEST(NodeOptions, parameters_that_are_not_pairs_are_an_error_and_left_out) {
  for (const char* text : {"Weight", "Weight=1\nState=UP", "Weight+=1", "Include=x", "A=\\"}) {
    settle::WorkerSet set = set_with("", "");
    set.spec.nodeConfig.static_ = text;
    const auto checked = check_node_options(set);
    ASSERT_FALSE(checked.ok()) << text;
    EXPECT_TRUE(checked.error().message().starts_with("NodeSet gpu: spec.nodeConfig.static: "))
        << checked.error().message();
    EXPECT_EQ(node_options(set), "Feature=gpu") << text;
  }
}

}  // namespace
}  // namespace slurmop::parts
