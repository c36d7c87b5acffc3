// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"
#include "json/decode.h"
#include "json/node.h"
#include "json/value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace json {
namespace {

struct Container {
  std::string name;
  std::optional<std::int32_t> port;
};
BOOST_DESCRIBE_STRUCT(Container, (), (name, port))

struct Thing {
  std::string namespace_;
  std::int64_t number = 7;
  bool flag = false;
  std::vector<Container> containers;
  std::map<std::string, std::string> labels;
  Value extra;
};
BOOST_DESCRIBE_STRUCT(Thing, (), (namespace_, number, flag, containers, labels, extra))

base::Result<Thing> thing(std::string_view text) {
  Parser parser;
  TRY(const Node root, parser.parse(text));
  return decode<Thing>(root);
}

TEST(Decode, FillsAStructAndIgnoresUnknownMembers) {
  const auto t = thing(R"({"namespace":"a","number":9000000000,"flag":true,"unknown":[1,{}],
      "containers":[{"name":"x","port":80},{"name":"y"}],"labels":{"k":"v"},"extra":{"deep":[1,"two"]}})");
  ASSERT_TRUE(t.ok()) << t.error().to_string();
  EXPECT_EQ(t->namespace_, "a");
  EXPECT_EQ(t->number, 9'000'000'000);
  EXPECT_TRUE(t->flag);
  ASSERT_EQ(t->containers.size(), 2U);
  EXPECT_EQ(t->containers[0].port, 80);
  EXPECT_EQ(t->containers[1].port, std::nullopt);
  EXPECT_EQ(t->labels.at("k"), "v");
  EXPECT_EQ(t->extra.dump(), R"({"deep":[1,"two"]})");
}

// Found by fuzzing: find() of one member and decoding of the others disagreed about the object.
TEST(Decode, OfRepeatedMembersTheFirstIsUsedAsInFind) {
  const auto t = thing(R"({"number":1,"number":2,"labels":{"k":"a","k":"b"}})");
  ASSERT_TRUE(t.ok());
  EXPECT_EQ(t->number, 1);
  EXPECT_EQ(t->labels.at("k"), "a");
  Parser parser;
  EXPECT_EQ(parser.parse(R"({"number":1,"number":2})")->find("number")->as_int(), 1);
}

TEST(Decode, AbsentAndNullKeepTheDefault) {
  const auto t = thing(R"({"number":null,"containers":null})");
  ASSERT_TRUE(t.ok());
  EXPECT_EQ(t->number, 7);
  EXPECT_TRUE(t->containers.empty());
}

TEST(Decode, AnErrorContainsThePath) {
  const auto t = thing(R"({"containers":[{"name":"x"},{"name":5}]})");
  ASSERT_FALSE(t.ok());
  EXPECT_EQ(t.error().message(), "$.containers[1].name: expected a string, got an integer");
  EXPECT_EQ(thing(R"({"labels":{"a/b":1}})").error().message(),
            R"($.labels["a/b"]: expected a string, got an integer)");
  EXPECT_EQ(thing(R"({"containers":[{"port":3000000000}]})").error().message(),
            "$.containers[0].port: 3000000000 is out of range");
}

TEST(Parser, RepairsInvalidUtf8) {
  Parser parser;
  const auto root = parser.parse("{\"name\":\"a\xff\"}");
  ASSERT_TRUE(root.ok());
  EXPECT_EQ(root->find("name")->as_string(), "a\xEF\xBF\xBD");
}

TEST(Parser, AnErrorShowsWhereTheTextIsNotJson) {
  Parser parser;
  const auto root = parser.parse("Authentication failure");
  ASSERT_FALSE(root.ok());
  EXPECT_TRUE(root.error().is(base::Kind::protocol));
  EXPECT_THAT(root.error().message(), testing::HasSubstr("Authentication failure"));
}

TEST(Value, WritesInOrderAndComparesWithoutOrder) {
  const Object a{{"b", 1}, {"a", Array{true, nullptr, "x\n\"\x01"}}};
  EXPECT_EQ(Value(a).dump(), R"({"b":1,"a":[true,null,"x\n\"\u0001"]})");
  const Object b{{"a", Array{true, nullptr, "x\n\"\x01"}}, {"b", 1}};
  EXPECT_EQ(a, b);
  EXPECT_NE(Value(a), Value(Object{{"a", 1}}));
}

TEST(Value, SetReplaces) {
  Object o{{"a", 1}};
  o.set("a", "two").set("b", 3);
  EXPECT_EQ(Value(o).dump(), R"({"a":"two","b":3})");
  EXPECT_TRUE(o.erase("a"));
  EXPECT_FALSE(o.erase("a"));
}

Value arbitrary(int depth);

Value arbitrary(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 7 : 5)) {
    case 0: return nullptr;
    case 1: return *rc::gen::arbitrary<bool>();
    case 2: return *rc::gen::arbitrary<std::int64_t>();
    case 3: return static_cast<double>(*rc::gen::inRange(-1000000, 1000000)) / 64 + 0.0078125;
    case 4: return *rc::gen::string<std::string>();
    case 5: {
      Array array;
      for (int n = *rc::gen::inRange(0, 4); n > 0; --n) array.push_back(arbitrary(depth - 1));
      return array;
    }
    default: {
      Object object;
      for (int n = *rc::gen::inRange(0, 4); n > 0; --n) {
        object.set(*rc::gen::nonEmpty(rc::gen::string<std::string>()), arbitrary(depth - 1));
      }
      return object;
    }
  }
}

RC_GTEST_PROP(Value, ARoundTripPreservesTheValue, ()) {
  const Value value = arbitrary(3);
  const std::string text = value.dump();
  const auto back = parse(text);
  RC_ASSERT(back.ok());
  // Strings with invalid UTF-8 are repaired on the way out, so compare what was written.
  RC_ASSERT(back->dump() == text);
}

TEST(Value, ANumberKeepsItsTypeWhenItIsWritten) {
  for (const char* text : {"2.0", "-0.0", "1e+20", "0.25", "2", "-1", "9223372036854775807"}) {
    const auto first = parse(text);
    ASSERT_TRUE(first.ok()) << text;
    EXPECT_EQ(first->dump(), text);
    EXPECT_EQ(parse(first->dump()).value(), *first) << text;
  }
}

struct Resources {
  std::map<std::string, std::string> requests;
};
BOOST_DESCRIBE_STRUCT(Resources, (), (requests))
struct Box {
  Resources resources;
};
BOOST_DESCRIBE_STRUCT(Box, (), (resources))
struct Spec {
  std::vector<Box> containers;
};
BOOST_DESCRIBE_STRUCT(Spec, (), (containers))
struct Outer {
  Spec spec;
};
BOOST_DESCRIBE_STRUCT(Outer, (), (spec))

RC_GTEST_PROP(Decode, AnErrorContainsThePathAtAnyDepth, ()) {
  const auto before = *rc::gen::inRange<std::size_t>(0, 20);
  std::string text = R"({"spec":{"containers":[)";
  for (std::size_t n = 0; n < before; ++n) text += R"({"resources":{"requests":{"cpu":"1"}}},)";
  text += R"({"resources":[]}]}})";
  Parser parser;
  const auto outer = decode<Outer>(*parser.parse(text));
  RC_ASSERT(!outer.ok());
  RC_ASSERT(
      outer.error().message() ==
      fmt::format("$.spec.containers[{}].resources: expected an object, got an array", before));
}

TEST(Decode, AnUndecodableElementDoesNotAffectTheOthers) {
  Parser parser;
  const auto root = parser.parse(R"([{"name":"a"},{"name":5},7,{"name":"b"}])");
  ASSERT_TRUE(root.ok());
  std::vector<std::string> names;
  std::vector<std::string> errors;
  root->each_element([&](Node element) {
    const auto one = decode<Container>(element);
    if (one.ok()) names.push_back(one->name);
    if (!one.ok()) errors.push_back(one.error().message());
    return true;
  });
  EXPECT_THAT(names, testing::ElementsAre("a", "b"));
  EXPECT_THAT(errors,
              testing::ElementsAre("$.name: expected a string, got an integer",
                                   "$: expected an object, got an integer"));
}

TEST(Value, AnUnsignedNumberBeyondTheSignedRangeKeepsItsValue) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(Value(kLargest).dump(), "18446744073709551615");
  EXPECT_EQ(Value(kLargest).as_int(), nullptr);
  ASSERT_NE(Value(std::uint64_t{7}).as_int(), nullptr);
  EXPECT_EQ(Value(std::uint64_t{7}), Value(7));
}

RC_GTEST_PROP(Decode, ANumberIsDecodedIfAndOnlyIfItsTypeCanHoldIt, (std::int64_t number)) {
  Parser parser;
  const std::string text = std::to_string(number);
  const Node node = *parser.parse(text);
  const auto narrow = decode<std::int32_t>(node);
  RC_ASSERT(narrow.ok() == std::in_range<std::int32_t>(number));
  if (narrow.ok()) RC_ASSERT(*narrow == number);
  RC_ASSERT(decode<std::uint64_t>(node).ok() == (number >= 0));
  RC_ASSERT(*decode<std::int64_t>(node) == number);
}

RC_GTEST_PROP(Parser, InvalidBytesInAStringAreReplaced, (const std::string& any)) {
  std::string inside = any;
  std::erase_if(inside, [](char c) { return c == '"' || c == '\\' || (c >= 0 && c < ' '); });
  Parser parser;
  const std::string text = "{\"name\":\"" + inside + "\"}";
  const auto root = parser.parse(text);
  RC_ASSERT(root.ok());
  RC_ASSERT(root->find("name")->as_string() == base::repair_utf8(inside));
}

}  // namespace
}  // namespace json
