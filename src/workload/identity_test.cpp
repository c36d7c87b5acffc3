// SPDX-License-Identifier: Apache-2.0
#include "workload/identity.h"

#include "json/value.h"

#include <gtest/gtest.h>

namespace workload {
namespace {

Identity sample() {
  return {
      {"c-1", "slurm-bridge-scheduler"}, kube::Uid("u-1"), {{{"a", "train-0"}, kube::Uid("u-1")}}};
}

TEST(Identity, IsReadBackAsWritten) {
  EXPECT_EQ(read_identity(admin_comment(sample())), sample());
}

TEST(Identity, IsWhatTheReferenceReadsPlusOurKeys) {
  EXPECT_EQ(admin_comment(sample()),
            R"({"pods":["a/train-0"],"cluster":"c-1","scheduler":"slurm-bridge-scheduler",)"
            R"("workload":"u-1","uids":["u-1"]})");
}

TEST(Identity, AForeignCommentIsNotAnIdentity) {
  for (const std::string_view comment : {
           R"()",
           R"(hello)",
           R"({})",
           R"(null)",
           R"([])",
           R"({"pods":[]})",
           R"({"pods":["a/b"]})",
           R"({"pods":[],"cluster":"c","scheduler":"s","workload":"u","uids":[]})",
           R"({"pods":["a/b"],"cluster":"","scheduler":"s","workload":"u","uids":["u"]})",
           R"({"pods":["a/b","a/c"],"cluster":"c","scheduler":"s","workload":"u","uids":["u"]})",
           R"({"pods":["ab"],"cluster":"c","scheduler":"s","workload":"u","uids":["u"]})",
           R"({"pods":["a/b/c"],"cluster":"c","scheduler":"s","workload":"u","uids":["u"]})",
           R"({"pods":[7],"cluster":"c","scheduler":"s","workload":"u","uids":["u"]})",
           R"({"pods":["a/b"],"cluster":"c","scheduler":"s","workload":"u","uids":[""]})",
           R"({"pods":["a/b"],"cluster":"c")",
       }) {
    EXPECT_EQ(read_identity(comment), std::nullopt) << comment;
  }
}

TEST(ReferencePods, AreReadFromAReferenceCommentOnly) {
  EXPECT_EQ(read_reference_pods(R"({"pods":["a/b","c/d"]})"),
            (std::vector<kube::ObjectKey>{{"a", "b"}, {"c", "d"}}));
  for (const std::string_view comment :
       {R"({})", R"(null)", R"({"pods":[]})", R"({"pods":"a/b"})", R"(text)"}) {
    EXPECT_TRUE(read_reference_pods(comment).empty()) << comment;
  }
  EXPECT_TRUE(read_reference_pods(admin_comment(sample())).empty());
}

}  // namespace
}  // namespace workload
