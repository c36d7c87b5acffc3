// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/passed_on.h"

#include <gtest/gtest.h>

namespace slurmop::objects {
namespace {

std::string passed(std::string_view text) {
  return passed_on(*json::parse(text)).dump();
}

TEST(PassedOn, quantities_are_written_as_the_server_prints_them) {
  EXPECT_EQ(passed(R"({"resources":{"requests":{"storage":"1024Mi","cpu":1,"memory":"0.5Gi"}}})"),
            R"({"resources":{"requests":{"storage":"1Gi","cpu":"1","memory":"512Mi"}}})");
  EXPECT_EQ(passed(R"([{"resources":{"limits":{"cpu":"1000m","memory":null}}}])"),
            R"([{"resources":{"limits":{"cpu":"1"}}}])");
  EXPECT_EQ(passed(R"({"emptyDir":{"medium":"Memory","sizeLimit":"1024Ki"}})"),
            R"({"emptyDir":{"medium":"Memory","sizeLimit":"1Mi"}})");
}

TEST(PassedOn, nulls_are_removed_and_everything_else_is_kept) {
  EXPECT_EQ(passed(R"({"a":null,"b":[{"c":null,"d":false}],"e":{},"f":"","g":[],"h":0})"),
            R"({"b":[{"d":false}],"e":{},"f":"","g":[],"h":0})");
  EXPECT_EQ(passed("\"1024Mi\""), "\"1024Mi\"");
}

TEST(PassedOn, what_is_not_a_quantity_is_left_to_the_server) {
  const std::string_view text = R"({"requests":{"cpu":"many","memory":true},"limits":"x"})";
  EXPECT_EQ(passed(text), text);
}

TEST(PassedOn, is_idempotent) {
  const json::Value once = passed_on(
      *json::parse(R"({"a":[{"requests":{"cpu":"1.5"}}],"sizeLimit":"1e3","b":{"c":null}})"));
  EXPECT_EQ(passed_on(once), once);
}

TEST(LastOfEach, a_later_element_replaces_an_earlier_one_with_the_same_key) {
  const json::Value list = *json::parse(
      R"([{"name":"a","value":"1"},{"name":"b"},{"x":"no key"},{"name":"a","value":"2"},{"x":1}])");
  EXPECT_EQ(json::Value(last_of_each(*list.as_array(), "name")).dump(),
            R"([{"name":"b"},{"x":"no key"},{"name":"a","value":"2"},{"x":1}])");
}

}  // namespace
}  // namespace slurmop::objects
