// SPDX-License-Identifier: Apache-2.0
#include "kube/api/label_selector_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kube::inline api {
namespace {

using ::testing::HasSubstr;

TEST(LabelSelectorText, IsParsedAsKubectlDoes) {
  struct Row {
    std::string text;
    LabelSelector want;
  };
  const Row kRows[] = {
      {"", {}},
      {"  ", {}},
      {"tier=gpu", {{{"tier", "gpu"}}, {}}},
      {"tier == gpu", {{{"tier", "gpu"}}, {}}},
      {"tier=", {{{"tier", ""}}, {}}},
      {"a", {{}, {{"a", "Exists", {}}}}},
      {"! a", {{}, {{"a", "DoesNotExist", {}}}}},
      {"a!=b", {{}, {{"a", "NotIn", {"b"}}}}},
      {"a notin (x, y)", {{}, {{"a", "NotIn", {"x", "y"}}}}},
      {"a in ()", {{}, {{"a", "In", {""}}}}},
      {"a in (,x)", {{}, {{"a", "In", {"", "x"}}}}},
      {"in in (in)", {{}, {{"in", "In", {"in"}}}}},
      {"a=1,a=2", {{{"a", "1"}}, {{"a", "In", {"2"}}}}},
      {"team in (a,b),!legacy,tier=gpu",
       {{{"tier", "gpu"}}, {{"team", "In", {"a", "b"}}, {"legacy", "DoesNotExist", {}}}}},
      {"example.com/x", {{}, {{"example.com/x", "Exists", {}}}}},
  };
  for (const Row& row : kRows) {
    const auto read = parse_label_selector(row.text);
    ASSERT_TRUE(read.ok()) << row.text << ": " << read.error().message();
    EXPECT_EQ(*read, row.want) << row.text;
    EXPECT_TRUE(check(*read).ok()) << row.text;
    const auto again = parse_label_selector(to_text(*read));
    ASSERT_TRUE(again.ok()) << to_text(*read);
    EXPECT_EQ(*again, row.want) << to_text(*read);
  }
}

TEST(LabelSelectorText, AnErrorNamesThePosition) {
  struct Row {
    std::string text;
    std::string message;
  };
  const Row kRows[] = {
      {"team in a,b", "at character 9: expected ( instead of \"a\""},
      {"team in (a", "at character 11: expected a comma or ) instead of the end"},
      {"a,", "at character 3: expected another requirement instead of the end"},
      {",a", "at character 1: expected a label key instead of \",\""},
      {"a b", "at character 3: expected in, notin, = or != instead of \"b\""},
      {"a=b c", "at character 5: expected a comma instead of \"c\""},
      {"cores>4", "at character 6: expected in, notin, = or !="},
      {"!", "at character 2: expected a label key instead of the end"},
      {"a=-", "at character 3: \"-\" is not a label value"},
      {"a,-b=c", "at character 3: \"-b\" is not a label key"},
      {"a=b=c", "at character 4: expected a comma"},
  };
  for (const Row& row : kRows) {
    const auto read = parse_label_selector(row.text);
    ASSERT_FALSE(read.ok()) << row.text;
    EXPECT_THAT(read.error().message(), HasSubstr(row.message));
  }
}

}  // namespace
}  // namespace kube::inline api
