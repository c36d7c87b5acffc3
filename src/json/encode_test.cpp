// SPDX-License-Identifier: Apache-2.0
#include "json/encode.h"

#include <gtest/gtest.h>

namespace json {
namespace {

using Id = base::Strong<std::string, struct IdTag>;

struct Inner {
  std::string text;
  int number = 0;
};
BOOST_DESCRIBE_STRUCT(Inner, (), (text, number))

struct Outer {
  Id id;
  std::string namespace_;
  bool flag = false;
  std::optional<int> count;
  std::vector<Inner> list;
  std::map<std::string, std::string> map;
  Inner inner;
  Value any;
};
BOOST_DESCRIBE_STRUCT(Outer, (), (id, namespace_, flag, count, list, map, inner, any))

TEST(Encode, WritesMembersInTheirOrderUnderTheirJsonNames) {
  Outer outer;
  outer.id = Id("i");
  outer.namespace_ = "n";
  outer.flag = true;
  outer.list = {{"a", 1}, {"", 0}};
  outer.map = {{"k", ""}};
  outer.inner.number = -1;
  outer.any = Array{1, "x"};
  EXPECT_EQ(encode(outer).dump(),
            R"({"id":"i","namespace":"n","flag":true,"list":[{"text":"a","number":1},{}],)"
            R"("map":{"k":""},"inner":{"number":-1},"any":[1,"x"]})");
}

TEST(Encode, OmitsEmptyMembersExceptValuesInOptionals) {
  Outer outer;
  EXPECT_EQ(encode(outer).dump(), "{}");
  outer.count = 0;
  EXPECT_EQ(encode(outer).dump(), R"({"count":0})");
}

TEST(Encode, IsTheInverseOfDecode) {
  const std::string text = R"({"id":"i","count":0,"list":[{"text":"a"}],"map":{"k":"v"}})";
  Parser parser;
  const auto decoded = decode<Outer>(*parser.parse(text));
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(encode(*decoded).dump(), text);
}

}  // namespace
}  // namespace json
