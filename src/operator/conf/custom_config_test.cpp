// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/custom_config.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>

namespace slurmop::conf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Surrounding around() {
  return {.node_sets = {"worker", "gpu"}, .partitions = {"main"}, .has_default_partition = true};
}

std::vector<std::string> problems(std::string_view text,
                                  const Surrounding& surrounding = around()) {
  std::vector<std::string> out;
  for (const Problem& problem : check_custom_slurm_config(text, surrounding).problems) {
    out.push_back(to_string(problem, "spec.customSlurmConfig"));
  }
  return out;
}

TEST(CustomSlurmConfig, ordinary_lines_are_accepted) {
  EXPECT_THAT(problems("# comment\n"
                       "\n"
                       "MessageTimeout=20\r\n"
                       "  SchedulerParameters = bf_continue,bf_interval=30  # seconds\n"
                       "PriorityType=priority/multifactor\n"
                       "PriorityDecayHalfLife=7-0\n"
                       "Prolog=/opt/a.sh\nProlog=/opt/b.sh\n"
                       "PartitionName=night Nodes=big,gpu MaxTime=12:00:00 OverSubscribe=FORCE:4\n"
                       "NodeSet=big Feature=large\n"
                       "PartitionName=DEFAULT State=UP\n"
                       "InteractiveStepOptions=\"--interactive --pty $SHELL\"\n"),
              ElementsAre());
}

TEST(CustomSlurmConfig, the_last_line_needs_no_line_break) {
  EXPECT_THAT(problems("KillWait=5"), ElementsAre());
  EXPECT_THAT(problems(""), ElementsAre());
}

// The faults that Slurm reports, and those that it accepts silently (slurm-in-pods.md 7.1).
TEST(CustomSlurmConfig, a_fault_is_reported_with_field_line_and_remedy) {
  struct Row {
    std::string_view text;
    std::string_view want;
  };
  constexpr Row kRows[] = {
      // Slurm's parser finds these.
      {"KilWait=5", "line 1: unknown key \"KilWait\"; did you mean KillWait?"},
      {"Xyzzy=1", "line 1: unknown key \"Xyzzy\""},
      {"\nPartitionName=a Nodes=ALL Stat=UP", "line 2: unknown key \"Stat\"; did you mean State?"},
      {"MessageTimeout=abc", "MessageTimeout: \"abc\" is not a whole number from 1 to 3600"},
      {"}", "line 1: \"}\" is not Key=Value"},
      {"KillWait", "\"KillWait\" is not Key=Value"},
      {"KillWait=1 WaitTime=2", "\"WaitTime\" starts a second key; write one key per line"},
      // slurmctld finds these at start.
      {"PartitionName=a Nodes=nosuch", "\"nosuch\" is neither ALL nor a NodeSet"},
      {"PartitionName=a Nodes=worker-0", "\"worker-0\" is neither ALL nor a NodeSet"},
      {"PartitionName=a Nodes=worker,", "\"\" is neither ALL nor a NodeSet"},
      {"PartitionName=main Nodes=ALL", "partition main is defined by spec.partitionConfiguration"},
      {"PartitionName=a Nodes=ALL\nPartitionName=a Nodes=ALL",
       "line 2: partition a is already set on line 1"},
      // Slurm accepts these faults silently (slurmctld starts).
      {"KillWait=5\n\nkillwait=6", "line 3: KillWait is already set on line 1; remove one"},
      {"JobRequeue=9", "JobRequeue: \"9\" is not a whole number from 0 to 1"},
      {"KillWait=010", "KillWait: \"010\" is not a whole number"},
      {"PartitionName=a Nodes=ALL State=UPP",
       "State: \"UPP\" is not a value of State; did you mean UP?"},
      {"SchedulerParameters=bf_continu", "did you mean bf_continue?"},
      {"SchedulerParameters=nonsense", "\"nonsense\" is not an option of SchedulerParameters"},
      {"NodeSet=x Feature=a\nNodeSet=x Feature=b", "line 2: NodeSet x is already set on line 1"},
      {"NodeSet=worker Feature=a", "NodeSet worker is defined by the operator"},
      {"SchedulerType=sched/nosuch", "\"sched/nosuch\" is not a plugin for SchedulerType"},
      {"PartitionName=a Nodes=ALL Default=YES", "the operator's partition is"},
      {"PartitionName=a Nodes=ALL State=UP state=DOWN", "state is set twice on this line"},
      // The operator owns these keys, or they are forbidden.
      {"AuthType=auth/none",
       "AuthType is set by the operator; remove the line (set spec.slurmNodes.controller.munge"},
      {"authtype=auth/munge", "AuthType is set by the operator"},
      {"SlurmctldHost=evil", "SlurmctldHost is set by the operator"},
      {"ReturnToService=2", "ReturnToService is set by the operator"},
      {"ClusterName=x", "it follows metadata.name"},
      {"NodeName=worker-9", "NodeName cannot be used: nodes register themselves"},
      {"JobCompPass=geheim", "JobCompPass cannot be used: a password must not be in a ConfigMap"},
      {"SuspendProgram=/bin/true", "workers are pods"},
      {"NodeSet=x Nodes=worker-[0-1]", "use Feature"},
      {"NodeSet=x", "NodeSet x has no Feature"},
      {"SallocDefaultCommand=x", "Slurm has removed it"},
      {"Include /etc/passwd", "Include would read another file"},
      // Lines that would not stay one line.
      {"Licenses=a\\", "line 1: it has a backslash"},
      {"Licenses=a\\\nAuthType=auth/none", "line 1: it has a backslash"},
      {"Licenses=\xC3\xA9", "not ASCII"},
      // Without cgroups.
      {"TaskPlugin=task/cgroup", "TaskPlugin=task/cgroup needs cgroups"},
      {"JobAcctGatherType=jobacct_gather/cgroup", "needs cgroups"},
  };
  for (const Row& row : kRows) {
    const auto found = problems(row.text);
    ASSERT_FALSE(found.empty()) << row.text;
    EXPECT_THAT(found[0], HasSubstr(row.want)) << row.text;
    EXPECT_THAT(found[0], HasSubstr("spec.customSlurmConfig line ")) << row.text;
  }
}

TEST(CustomSlurmConfig, partitions_may_name_any_node_set_while_they_are_unknown) {
  Surrounding unknown = around();
  unknown.knows_node_sets = false;
  EXPECT_THAT(problems("PartitionName=a Nodes=nosuch", unknown), ElementsAre());
  EXPECT_THAT(problems("PartitionName=DEFAULT Nodes=nosuch"),
              ElementsAre(HasSubstr("\"nosuch\" is neither ALL nor a NodeSet")));
}

TEST(CustomSlurmConfig, its_node_sets_are_known_also_from_invalid_text) {
  EXPECT_THAT(defined_node_sets("NodeSet=a Feature=x\nbad line\nnodeset=b\nPartitionName=c\n"),
              ElementsAre("a", "b"));
  EXPECT_THAT(defined_node_sets(""), ElementsAre());
}

TEST(PartitionLines, are_checked_with_the_rules_of_custom_lines) {
  const std::vector<std::string> good = {"PartitionName=a Nodes=gpu",
                                         "partitionname=b Nodes=ALL Default=YES"};
  Surrounding surrounding = around();
  surrounding.has_default_partition = false;
  const CheckedConfig checked = check_partition_lines(good, surrounding);
  ASSERT_TRUE(checked.ok());
  surrounding.add(checked.config);
  EXPECT_TRUE(surrounding.partitions.contains("a"));
  EXPECT_TRUE(surrounding.partitions.contains("b"));
  EXPECT_TRUE(surrounding.has_default_partition);
}

TEST(PartitionLines, a_problem_has_the_number_of_its_item) {
  const auto first = [](std::vector<std::string> lines) {
    const CheckedConfig checked = check_partition_lines(lines, around());
    return checked.ok() ? std::string() : to_string(checked.problems[0], "f");
  };
  EXPECT_THAT(first({"PartitionName=a Nodes=gpu", "PartitionName=b Nodes=x"}),
              HasSubstr("f line 2: Nodes: \"x\" is neither ALL nor a NodeSet"));
  EXPECT_THAT(first({"PartitionName=a", "PartitionName=a"}), HasSubstr("f line 2: partition a"));
  for (const char* line :
       {"KillWait=5", "", "# comment", "NodeSet=a Feature=b", "PartitionName=a\nKillWait=5"}) {
    EXPECT_THAT(first({"PartitionName=z", line}), HasSubstr("f line 2: it is not one line that"));
  }
  EXPECT_THAT(first({"PartitionName=a KillWait=5"}), HasSubstr("f line 1: unknown key"));
}

TEST(NodeOptions, are_returned_as_slurm_reads_them) {
  const auto rendered = [](std::string_view text) {
    const auto pairs = check_node_options(text);
    if (!pairs.ok()) return pairs.error().message();
    std::string out;
    for (const Pair& pair : *pairs) out += pair.key.text() + "=" + pair.value.text() + " ";
    return out;
  };
  EXPECT_EQ(rendered(""), "");
  EXPECT_EQ(rendered("CoresPerSocket=8  ThreadsPerCore=2"), "CoresPerSocket=8 ThreadsPerCore=2 ");
  EXPECT_EQ(rendered("Gres=gpu:h100:8 NodeCPUs=128"), "Gres=gpu:h100:8 CPUs=128 ");
  EXPECT_THAT(rendered("NodeCPUs=1 CPUs=2"), HasSubstr("CPUs is set twice"));
  EXPECT_THAT(rendered("State=DOWN"), HasSubstr("State is set by the operator; remove it (it"));
  EXPECT_THAT(rendered("feature=a"), HasSubstr("use nodeConfig.features"));
  EXPECT_THAT(rendered("RealMemry=1"), HasSubstr("did you mean RealMemory?"));
  EXPECT_THAT(rendered("CPUs=0"), HasSubstr("is not a whole number from 1"));
  EXPECT_THAT(rendered("Procs=4"), HasSubstr("use CPUs"));
}

TEST(CustomSlurmConfig, a_password_is_not_repeated_in_a_message) {
  for (const std::string_view text : {"JobCompPass=geheim", "AccountingStoragePass=geheim"}) {
    const auto found = problems(text);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0], ::testing::Not(HasSubstr("geheim")));
  }
}

TEST(CustomSlurmConfig, with_cgroup_tracking_cgroup_plugins_are_accepted) {
  Surrounding surrounding = around();
  surrounding.tracking = ProcessTracking::cgroup;
  EXPECT_THAT(problems("TaskPlugin=task/cgroup,task/affinity", surrounding), ElementsAre());
}

TEST(CustomSlurmConfig, all_problems_are_reported_up_to_a_limit) {
  EXPECT_EQ(problems("A=1\nKillWait=5\nB=2\n").size(), 2U);
  std::string text;
  for (int i = 0; i < 50; ++i) text += fmt::format("Unknown{}=1\n", i);
  const auto found = problems(text);
  ASSERT_EQ(found.size(), kMostProblems + 1);
  EXPECT_THAT(found.back(), HasSubstr("30 more problems are not shown"));
}

TEST(CustomSlurmConfig, a_huge_text_is_refused) {
  EXPECT_THAT(problems(std::string(kMostCustomBytes + 1, '\n')),
              ElementsAre(HasSubstr("at most 262144 are allowed")));
}

TEST(CustomCgroupConfig, has_its_own_keys) {
  EXPECT_TRUE(check_custom_cgroup_config("ConstrainRAMSpace=no\n").ok());
  EXPECT_FALSE(check_custom_cgroup_config("KillWait=5\n").ok());
  EXPECT_FALSE(check_custom_cgroup_config("CgroupPlugin=cgroup/v1\n").ok());
}

TEST(PartitionOptions, are_the_rest_of_one_line) {
  EXPECT_TRUE(check_partition_options("MaxTime=60 PriorityTier=2").ok());
  EXPECT_TRUE(check_partition_options("").ok());
  for (const std::string_view text : {"Nodes=ALL",
                                      "PartitionName=x",
                                      "MaxTime=60\nAuthType=auth/none",
                                      "MaxTime",
                                      "KillWait=5",
                                      "MaxTime=60 maxtime=70",
                                      "MaxTime=60 # x\\"}) {
    EXPECT_FALSE(check_partition_options(text).ok()) << text;
  }
}

RC_GTEST_PROP(CustomSlurmConfig,
              accepted_lines_are_accepted_again,
              (const std::vector<std::string>& words)) {
  // Random text between fragments that are nearly right.
  static const std::string kFragments[] = {"KillWait=",
                                           "5",
                                           "\n",
                                           " ",
                                           "#",
                                           "\\",
                                           "\"",
                                           "NodeSet=x",
                                           " Feature=",
                                           "PartitionName=p",
                                           " Nodes=",
                                           "ALL",
                                           ","};
  std::string text;
  for (const std::string& word : words) {
    text += kFragments[*rc::gen::inRange<std::size_t>(0, std::size(kFragments))];
    if (*rc::gen::inRange(0, 4) == 0) text += word;
  }
  const CheckedConfig once = check_custom_slurm_config(text, around());
  std::string again;
  for (const Line& line : once.config.lines) again += line.rendered() + "\n";
  const CheckedConfig twice = check_custom_slurm_config(again, around());
  RC_ASSERT(twice.ok());
  RC_ASSERT(twice.config.lines == once.config.lines);
}

}  // namespace
}  // namespace slurmop::conf
