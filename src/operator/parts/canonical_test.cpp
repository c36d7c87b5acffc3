// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/canonical.h"

#include <gtest/gtest.h>

namespace slurmop::parts {
namespace {

TEST(CanonicalText, does_not_depend_on_the_order_of_members) {
  const json::Object one{{"b", 1}, {"a", json::Array{json::Object{{"d", 2}, {"c", nullptr}}}}};
  const json::Object two{{"a", json::Array{json::Object{{"c", nullptr}, {"d", 2}}}}, {"b", 1}};
  EXPECT_EQ(canonical_text(one), canonical_text(two));
  EXPECT_EQ(canonical_text(one), R"({"a":[{"c":null,"d":2}],"b":1})");
}

TEST(CanonicalText, depends_on_the_order_of_elements) {
  EXPECT_NE(canonical_text(json::Array{1, 2}), canonical_text(json::Array{2, 1}));
}

}  // namespace
}  // namespace slurmop::parts
