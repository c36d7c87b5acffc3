// SPDX-License-Identifier: Apache-2.0
#include "workload/job_annotations.h"

#include "workload/wellknown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Weight = AnnotationProblem::Weight;

std::vector<AnnotationProblem> check(const std::string& suffix, const std::string& value) {
  return check_job_annotations({{kJobAnnotationPrefix + suffix, value}});
}

struct Row {
  const char* what;
  std::string suffix;
  std::string value;
  const char* message;  // of the error; empty: fine
};

const Row kValues[] = {
    {"a number of minutes", "timelimit", "120", ""},
    {"the most minutes", "timelimit", "2147483647", ""},
    {"more than int32", "timelimit", "2147483648", "write \"120\""},
    {"a duration", "timelimit", "2h", "write \"120\""},
    {"no minutes", "timelimit", "0", "write \"120\""},
    {"a space before", "timelimit", " 5", "write \"120\""},
    {"nothing", "timelimit", "", "write \"120\""},
    {"negative priority", "priority", "-1", "from 0 to 2147483647"},
    {"priority zero holds the job", "priority", "0", ""},
    {"a fraction of nodes", "min-nodes", "1.5", "number of nodes"},
    {"no nodes", "max-nodes", "0", "number of nodes"},
    {"CPUs in milli", "cpu-per-task", "2500m", ""},
    {"no CPU", "cpu-per-task", "0", "between 1 and 65535"},
    {"fewer than no CPU", "cpu-per-task", "-2", "between 1 and 65535"},
    {"more CPUs than Slurm counts", "cpu-per-task", "65536", "between 1 and 65535"},
    {"CPUs as a word", "cpu-per-task", "four", "write \"4\""},
    {"memory", "mem-per-node", "4Gi", ""},
    {"memory in Slurm's manner", "mem-per-node", "4GB", "write \"4Gi\""},
    {"memory without a unit, so in bytes", "mem-per-node", "4096", "less than 1Mi"},
    {"negative memory", "mem-per-node", "-4Gi", "less than 1Mi"},
    {"a name", "account", "physics", ""},
    {"an empty name is no name", "account", "", ""},
    {"a list of names", "partition", "gpu,cpu", ""},
    {"a line break", "partition", "gpu\n", "on one line"},
    {"a control character", "qos", std::string("a\x1b[31m"), "on one line"},
    {"delete", "qos", std::string("a\x7f"), "on one line"},
    {"a name as long as a book", "job-name", std::string(1025, 'x'), "longer than 1024"},
    {"any letters",
     "job-name",
     "Gr\xc3\xbc\xc3\x9f"
     "e",
     ""},
    {"shared", "exclusive", " FALSE ", ""},
};

TEST(CheckJobAnnotations, AnInvalidValueIsAnErrorWithTheFix) {
  for (const Row& row : kValues) {
    SCOPED_TRACE(row.what);
    const auto problems = check(row.suffix, row.value);
    if (*row.message == '\0') {
      EXPECT_THAT(problems, IsEmpty());
      continue;
    }
    ASSERT_THAT(problems, SizeIs(1));
    EXPECT_EQ(problems[0].weight, Weight::error);
    EXPECT_THAT(problems[0].message, HasSubstr(row.message));
    EXPECT_THAT(problems[0].message, HasSubstr("annotation " + kJobAnnotationPrefix + row.suffix));
  }
}

TEST(CheckJobAnnotations, WhatItRefusesApplyingRefusesToo) {
  for (const Row& row : kValues) {
    SCOPED_TRACE(row.what);
    slurm::JobRequest request;
    const auto applied =
        apply_job_annotations({{kJobAnnotationPrefix + row.suffix, row.value}}, request);
    EXPECT_EQ(applied.ok(), *row.message == '\0');
  }
}

TEST(CheckJobAnnotations, FewerNodesAtMostThanAtLeastIsAnError) {
  const auto range = [](const std::string& least, const std::string& most) {
    return Annotations{{kJobAnnotationPrefix + "min-nodes", least},
                       {kJobAnnotationPrefix + "max-nodes", most}};
  };
  EXPECT_THAT(check_job_annotations(range("2", "2")), IsEmpty());
  EXPECT_THAT(check_job_annotations(range("10", "9")),
              ElementsAre(AnnotationProblem{
                  Weight::error,
                  "annotation slurmjob.slinky.slurm.net/min-nodes: \"10\" is more than max-nodes, "
                  "\"9\"; lower min-nodes or raise max-nodes"}));
  slurm::JobRequest request;
  EXPECT_FALSE(apply_job_annotations(range("10", "9"), request).ok());
  EXPECT_EQ(request.minimum_nodes, std::nullopt);
}

TEST(CheckJobAnnotations, AMistakeInTheNameIsAWarningWithTheNearestOne) {
  EXPECT_THAT(check("time-limit", "5"),
              ElementsAre(AnnotationProblem{
                  Weight::warning,
                  "annotation \"slurmjob.slinky.slurm.net/time-limit\" is unknown and has no "
                  "effect; did you mean slurmjob.slinky.slurm.net/timelimit?"}));
  EXPECT_THAT(check("from-the-future", "5"),
              ElementsAre(AnnotationProblem{
                  Weight::warning,
                  "annotation \"slurmjob.slinky.slurm.net/from-the-future\" is unknown and has "
                  "no effect"}));
}

TEST(CheckJobAnnotations, ThePrefixOfOldReleasesIsAWarningWithTheNewOne) {
  EXPECT_THAT(check_job_annotations({{"slinky.slurm.net/timelimit", "5"}}),
              ElementsAre(AnnotationProblem{
                  Weight::warning,
                  "annotation slinky.slurm.net/timelimit has no effect; its new name "
                  "is slurmjob.slinky.slurm.net/timelimit"}));
  EXPECT_THAT(check_job_annotations({{kNodeAnnotation, "n1"}, {"example.com/timelimit", "5"}}),
              IsEmpty());
}

TEST(CheckJobAnnotations, AnExclusiveThatIsNeitherTrueNorFalseIsAnError) {
  for (const char* value : {"no", "maybe", "0", ""}) {
    const auto problems = check("exclusive", value);
    ASSERT_THAT(problems, SizeIs(1)) << value;
    EXPECT_EQ(problems[0].weight, Weight::error) << value;
    EXPECT_THAT(problems[0].message, HasSubstr("neither \"true\" nor \"false\""));
  }
}

TEST(CheckJobAnnotations, EveryProblemIsReported) {
  EXPECT_THAT(check_job_annotations({{kJobAnnotationPrefix + "timelimit", "x"},
                                     {kJobAnnotationPrefix + "priority", "y"},
                                     {kJobAnnotationPrefix + "qso", "z"}}),
              SizeIs(3));
}

}  // namespace
}  // namespace workload
