// SPDX-License-Identifier: Apache-2.0
#include "workload/annotation_reference.h"

#include "json/value.h"
#include "slurm/api/job_request.h"
#include "source_tree.h"
#include "workload/job_annotations.h"
#include "workload/wellknown.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace workload {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string page() {
  std::ifstream file(in_source_tree("docs/annotations.md"));
  return {std::istreambuf_iterator<char>(file), {}};
}

Annotations only(const AnnotationEntry& entry) {
  return {{kJobAnnotationPrefix + std::string(entry.suffix), std::string(entry.example)}};
}

json::Object submitted_job(const slurm::JobRequest& request) {
  const json::Value body = json::parse(slurm::submit_body(request)).value();
  return *body.find("job")->as_object();
}

// Members of the submitted job that differ between two requests.
std::set<std::string> changed_fields(const slurm::JobRequest& before,
                                     const slurm::JobRequest& after) {
  const json::Object old_job = submitted_job(before);
  const json::Object new_job = submitted_job(after);
  std::set<std::string> changed;
  for (const json::Member& member : new_job) {
    const json::Value* old_value = old_job.find(member.key);
    if (old_value == nullptr || !(*old_value == member.value)) changed.insert(member.key);
  }
  return changed;
}

TEST(AnnotationReference, HasOneEntryForEachAnnotationThatTheBridgeApplies) {
  std::vector<std::string_view> suffixes;
  for (const AnnotationEntry& entry : annotation_reference()) suffixes.push_back(entry.suffix);
  EXPECT_THAT(suffixes, ElementsAreArray(job_annotation_suffixes()));
}

TEST(AnnotationReference, EachExampleIsAcceptedAndChangesOnlyTheFieldThatIsNamed) {
  for (const AnnotationEntry& entry : annotation_reference()) {
    SCOPED_TRACE(entry.suffix);
    EXPECT_THAT(check_job_annotations(only(entry)), IsEmpty());
    slurm::JobRequest before;
    before.exclusive = true;  // as job_of_pod() sets it
    slurm::JobRequest after = before;
    ASSERT_TRUE(apply_job_annotations(only(entry), after).ok());
    EXPECT_THAT(changed_fields(before, after), ElementsAre(std::string(entry.slurm_field)));
  }
}

TEST(AnnotationReference, IsInTheDocumentationAsItIsInTheCode) {
  const std::string text = page();
  std::size_t rows = 0;
  for (std::size_t at = text.find("\n| `"); at != std::string::npos;
       at = text.find("\n| `", at + 1))
    ++rows;
  EXPECT_EQ(rows, annotation_reference().size());
  for (const AnnotationEntry& entry : annotation_reference()) {
    EXPECT_THAT(text,
                HasSubstr(fmt::format("\n| `{}` | {} | {} | `{}` | `{}` | {} |\n",
                                      entry.suffix,
                                      entry.value,
                                      entry.otherwise,
                                      entry.example,
                                      entry.slurm_field,
                                      entry.slurm_right)));
  }
}

}  // namespace
}  // namespace workload
