// SPDX-License-Identifier: Apache-2.0
#include "kube/api/label_selector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kube::inline api {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Labels = std::map<std::string, std::string>;

TEST(LabelSelector, AnEmptySelectorMatchesEverything) {
  EXPECT_TRUE(check({}).ok());
  EXPECT_TRUE(matches({}, {}));
  EXPECT_TRUE(matches({}, {{"a", "b"}}));
}

TEST(LabelSelector, EachOperatorOnAnEqualADifferentAndAnAbsentLabel) {
  struct Row {
    LabelRequirement requirement;
    bool same;
    bool other;
    bool absent;
  };
  const Row kRows[] = {
      {{"team", "In", {"a", "b"}}, true, false, false},
      {{"team", "NotIn", {"a", "b"}}, false, true, true},
      {{"team", "Exists", {}}, true, true, false},
      {{"team", "DoesNotExist", {}}, false, false, true},
  };
  for (const Row& row : kRows) {
    const LabelSelector selector{{}, {row.requirement}};
    ASSERT_TRUE(check(selector).ok()) << row.requirement.operator_;
    EXPECT_EQ(matches(selector, {{"team", "a"}}), row.same) << row.requirement.operator_;
    EXPECT_EQ(matches(selector, {{"team", "c"}}), row.other) << row.requirement.operator_;
    EXPECT_EQ(matches(selector, {{"x", "a"}}), row.absent) << row.requirement.operator_;
  }
}

TEST(LabelSelector, AllRequirementsMustHold) {
  const LabelSelector selector{{{"tier", "gpu"}, {"env", ""}}, {{"legacy", "DoesNotExist", {}}}};
  EXPECT_TRUE(matches(selector, {{"tier", "gpu"}, {"env", ""}}));
  EXPECT_FALSE(matches(selector, {{"tier", "gpu"}}));
  EXPECT_FALSE(matches(selector, {{"tier", "cpu"}, {"env", ""}}));
  EXPECT_FALSE(matches(selector, {{"tier", "gpu"}, {"env", ""}, {"legacy", ""}}));
}

TEST(LabelSelector, AnErrorNamesTheFieldAndTheFix) {
  struct Row {
    LabelSelector selector;
    std::string where;
    std::string fix;
  };
  const Row kRows[] = {
      {{{}, {{"a", "Exists", {}}, {"b", "in", {"x"}}}},
       "matchExpressions[1].operator",
       "did you mean In?"},
      {{{}, {{"a", "Equals", {}}}}, "matchExpressions[0].operator", "DoesNotExist"},
      {{{}, {{"a", "In", {}}}}, "matchExpressions[0].values", "at least one value"},
      {{{}, {{"a", "Exists", {"x"}}}}, "matchExpressions[0].values", "leave them out"},
      {{{}, {{"a", "NotIn", {"x y"}}}}, "matchExpressions[0].values", "\"x y\""},
      {{{}, {{"", "Exists", {}}}}, "matchExpressions[0].key", "letter or digit"},
      {{{{"Example.com/a", "x"}}, {}}, "matchLabels", "lower-case DNS"},
      {{{{"a", "-"}}, {}}, "matchLabels.a", "is not a label value"},
      {{{{"a/b/c", "x"}}, {}}, "matchLabels", "\"a/b/c\""},
  };
  for (const Row& row : kRows) {
    const auto checked = check(row.selector);
    ASSERT_FALSE(checked.ok()) << row.where;
    EXPECT_THAT(checked.error().message(), AllOf(HasSubstr(row.where + ": "), HasSubstr(row.fix)));
  }
  EXPECT_FALSE(matches({{}, {{"a", "Equals", {"x"}}}}, {{"a", "x"}}));
}

TEST(LabelSelector, KeysAndValuesAreThoseOfKubernetes) {
  for (const char* key : {"a", "A_b.c-9", "example.com/a", "kubernetes.io/metadata.name"})
    EXPECT_TRUE(check_label_key(key).ok()) << key;
  for (const char* key : {"", "/", "a/", "/a", "-a", "a-", "a..b/c", "a b", "ä"})
    EXPECT_FALSE(check_label_key(key).ok()) << key;
  EXPECT_FALSE(check_label_key(std::string(64, 'a')).ok());
  EXPECT_TRUE(check_label_key(std::string(63, 'a')).ok());
  EXPECT_TRUE(check_label_value("").ok());
  EXPECT_FALSE(check_label_value(std::string(64, 'a')).ok());
}

}  // namespace
}  // namespace kube::inline api
