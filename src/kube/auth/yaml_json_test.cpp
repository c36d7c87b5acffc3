// SPDX-License-Identifier: Apache-2.0
#include "kube/auth/yaml_json.h"

#include <gtest/gtest.h>

namespace kube::inline auth {
namespace {

TEST(YamlJson, PlainScalarsHaveTypesAndQuotedOnesAreStrings) {
  const auto value = parse_yaml("a: 3\nb: \"3\"\nc: true\nd: 'true'\ne: 8Gi\nf: ~\ng: [1, x]\n");
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(value->dump(), R"({"a":3,"b":"3","c":true,"d":"true","e":"8Gi","f":null,"g":[1,"x"]})");
}

TEST(YamlJson, OnlyOneDocumentIsAllowed) {
  EXPECT_TRUE(parse_yaml("---\na: 1\n").ok());
  EXPECT_FALSE(parse_yaml("a: 1\n---\nb: 2\n").ok());
  EXPECT_FALSE(parse_yaml("a: [1\n").ok());
  EXPECT_FALSE(parse_yaml("").ok());
}

}  // namespace
}  // namespace kube::inline auth
