// SPDX-License-Identifier: Apache-2.0
#include "operator/api/field_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::api {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> found(std::string_view text, std::string_view path) {
  std::vector<std::string> places;
  visit_field(*json::parse(text), path, [&](const std::string& place, const json::Value& value) {
    places.push_back(place + "=" + value.dump());
  });
  return places;
}

TEST(FieldWalk, VisitsEveryItemOfAList) {
  EXPECT_THAT(found(R"({"spec":{"a":[{"b":1},{},{"b":2}]}})", "spec.a[].b"),
              ElementsAre("spec.a[0].b=1", "spec.a[2].b=2"));
  EXPECT_THAT(found(R"({"a":["x","y"]})", "a[]"), ElementsAre(R"(a[0]="x")", R"(a[1]="y")"));
}

TEST(FieldWalk, WhatIsAbsentOrOfAnotherTypeHasNoValues) {
  for (const char* text : {"{}", "[]", "3", R"({"a":null})", R"({"a":{"b":null}})", R"({"a":[1]})"})
    EXPECT_THAT(found(text, "a.b"), IsEmpty()) << text;
  EXPECT_THAT(found(R"({"a":{"b":1}})", "a[].b"), IsEmpty());
}

}  // namespace
}  // namespace slurmop::api
