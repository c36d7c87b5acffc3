// SPDX-License-Identifier: Apache-2.0
#include "json/patch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace json {
namespace {

using base::Kind;

Value read(std::string_view text) {
  auto value = parse(text);
  if (!value.ok()) ADD_FAILURE() << text << ": " << value.error().to_string();
  return value.ok() ? *value : Value();
}

TEST(Pointer, EscapesAnyName) {
  const Value document = read(R"({"a/b":{"m~n":[10,20]},"":1,"0":2})");
  EXPECT_EQ(*find(document, *parse_pointer("/a~1b/m~0n/1")), Value(20));
  EXPECT_EQ(*find(document, *parse_pointer("/")), Value(1));
  EXPECT_EQ(*find(document, *parse_pointer("/0")), Value(2));
  EXPECT_EQ(*find(document, *parse_pointer("")), document);
  for (const char* absent : {"/x", "/a~1b/m~0n/2", "/a~1b/m~0n/01", "/a~1b/m~0n/-", "/0/x"}) {
    EXPECT_EQ(find(document, *parse_pointer(absent)), nullptr) << absent;
  }
  for (const char* bad : {"a", "/a~2", "/~"}) {
    EXPECT_TRUE(parse_pointer(bad).error().is(Kind::invalid)) << bad;
  }
}

RC_GTEST_PROP(Pointer,
              ARoundTripPreservesThePointer,
              (const std::string& a, const std::string& b)) {
  RC_ASSERT(*parse_pointer(pointer_text({a, b})) == (Pointer{a, b}));
}

// The table of RFC 7386, appendix A.
TEST(MergePatch, MatchesTheExamplesOfTheRfc) {
  const struct {
    const char *document, *patch, *result;
  } rows[] = {
      {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
      {R"({"a":"b"})", R"({"a":null})", R"({})"},
      {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
      {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
      {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
      {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
      {R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
      {R"({"a":"b"})", R"(["c"])", R"(["c"])"},
      {R"({"a":"foo"})", R"(null)", R"(null)"},
      {R"({"a":"foo"})", R"("bar")", R"("bar")"},
      {R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
      {R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
      {R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
  };
  for (const auto& row : rows) {
    Value document = read(row.document);
    apply_merge_patch(document, read(row.patch));
    EXPECT_EQ(document.dump(), row.result) << row.document << " with " << row.patch;
  }
}

TEST(JsonPatchOperations, MatchTheExamplesOfTheRfc) {
  const struct {
    const char *document, *patch, *result;
  } rows[] = {
      {R"({"foo":"bar"})",
       R"([{"op":"add","path":"/baz","value":"qux"}])",
       R"({"foo":"bar","baz":"qux"})"},
      {R"({"foo":["bar","baz"]})",
       R"([{"op":"add","path":"/foo/1","value":"qux"}])",
       R"({"foo":["bar","qux","baz"]})"},
      {R"({"baz":"qux","foo":"bar"})", R"([{"op":"remove","path":"/baz"}])", R"({"foo":"bar"})"},
      {R"({"foo":["bar","qux","baz"]})",
       R"([{"op":"remove","path":"/foo/1"}])",
       R"({"foo":["bar","baz"]})"},
      {R"({"baz":"qux"})", R"([{"op":"replace","path":"/baz","value":"boo"}])", R"({"baz":"boo"})"},
      {R"({"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}})",
       R"([{"op":"move","from":"/foo/waldo","path":"/qux/thud"}])",
       R"({"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}})"},
      {R"({"foo":["all","grass","cows","eat"]})",
       R"([{"op":"move","from":"/foo/1","path":"/foo/3"}])",
       R"({"foo":["all","cows","eat","grass"]})"},
      {R"({"baz":"qux","foo":["a",2,"c"]})",
       R"([{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2.0}])",
       R"({"baz":"qux","foo":["a",2,"c"]})"},
      {R"({"foo":"bar"})",
       R"([{"op":"add","path":"/child","value":{"grandchild":{}}}])",
       R"({"foo":"bar","child":{"grandchild":{}}})"},
      {R"({"foo":["bar"]})",
       R"([{"op":"add","path":"/foo/-","value":["abc","def"]}])",
       R"({"foo":["bar",["abc","def"]]})"},
      {R"({"a":{"b":1}})",
       R"([{"op":"copy","from":"/a","path":"/c"},{"op":"replace","path":"/c/b","value":2}])",
       R"({"a":{"b":1},"c":{"b":2}})"},
      {R"({"a":1})", R"([{"op":"replace","path":"","value":[7]}])", R"([7])"},
  };
  for (const auto& row : rows) {
    const auto patched = json_patched(read(row.document), read(row.patch));
    ASSERT_TRUE(patched.ok()) << row.patch << ": " << patched.error().to_string();
    EXPECT_EQ(patched->dump(), row.result) << row.patch;
  }
}

TEST(JsonPatchOperations, AFailedTestIsAConflict) {
  const Value document = read(R"({"a":[1],"b":"x"})");
  const struct {
    const char* patch;
    Kind kind;
  } rows[] = {
      {R"([{"op":"test","path":"/b","value":"y"}])", Kind::conflict},
      {R"([{"op":"test","path":"/c","value":"y"}])", Kind::conflict},
      {R"([{"op":"test","path":"/c","value":null}])", Kind::conflict},
      {R"([{"op":"test","path":"/a","value":"1"}])", Kind::conflict},
      {R"([{"op":"remove","path":"/c"}])", Kind::not_found},
      {R"([{"op":"replace","path":"/a/1","value":1}])", Kind::not_found},
      {R"([{"op":"add","path":"/a/2","value":1}])", Kind::not_found},
      {R"([{"op":"add","path":"/b/x","value":1}])", Kind::not_found},
      {R"([{"op":"move","from":"/c","path":"/d"}])", Kind::not_found},
      {R"([{"op":"move","from":"/a","path":"/a/0"}])", Kind::invalid},
      {R"([{"op":"frob","path":"/a"}])", Kind::invalid},
      {R"([{"op":"add","path":"/a"}])", Kind::invalid},
      {R"([{"op":"add","path":"a","value":1}])", Kind::invalid},
      {R"([{"path":"/a","value":1}])", Kind::invalid},
      {R"({"op":"add"})", Kind::invalid},
  };
  for (const auto& row : rows) {
    const auto patched = json_patched(document, read(row.patch));
    ASSERT_FALSE(patched.ok()) << row.patch;
    EXPECT_EQ(base::name(patched.error().kind()), base::name(row.kind)) << row.patch;
  }
  EXPECT_TRUE(
      json_patched(document, read(R"([{"op":"test","path":"/c","value":null}])"), Absent::is_null)
          .ok());
}

TEST(JsonPatch, IsBuiltOperationByOperation) {
  const Array patch = JsonPatch()
                          .test("/a/0", "x")
                          .remove("/a/0")
                          .add("/b", 1)
                          .replace(pointer_text({"c/d"}), nullptr)
                          .operations();
  EXPECT_EQ(Value(patch).dump(),
            R"([{"op":"test","path":"/a/0","value":"x"},{"op":"remove","path":"/a/0"},)"
            R"({"op":"add","path":"/b","value":1},{"op":"replace","path":"/c~1d","value":null}])");
  EXPECT_EQ(json_patched(read(R"({"a":["x"],"c/d":5})"), patch)->dump(),
            R"({"a":[],"c/d":null,"b":1})");
}

Value arbitrary(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 5 : 3)) {
    case 0: return *rc::gen::arbitrary<bool>();
    case 1: return *rc::gen::inRange(-3, 3);
    case 2: return *rc::gen::element<std::string>("x", "y", "a/b");
    case 3: {
      Array array;
      for (int n = *rc::gen::inRange(0, 3); n > 0; --n) array.push_back(arbitrary(depth - 1));
      return array;
    }
    default: {
      Object object;
      for (int n = *rc::gen::inRange(0, 4); n > 0; --n) {
        object.set(*rc::gen::element<std::string>("a", "b", "c~", "d/e"), arbitrary(depth - 1));
      }
      return object;
    }
  }
}

// The merge patch that turns one object into another (without nulls inside, so it always exists).
Value merge_patch_between(const Value& from, const Value& to) {
  if (from.as_object() == nullptr || to.as_object() == nullptr) return to;
  Object patch;
  for (const Member& member : *from.as_object()) {
    if (to.find(member.key) == nullptr) patch.set(member.key, nullptr);
  }
  for (const Member& member : *to.as_object()) {
    const Value* before = from.find(member.key);
    if (before == nullptr) {
      patch.set(member.key, member.value);
    } else if (!(*before == member.value)) {
      patch.set(member.key, merge_patch_between(*before, member.value));
    }
  }
  return patch;
}

RC_GTEST_PROP(MergePatch, TurnsAnyDocumentIntoAnyOther, ()) {
  Value document = arbitrary(3);
  const Value wanted = arbitrary(3);
  const Value patch = merge_patch_between(document, wanted);
  apply_merge_patch(document, patch);
  RC_ASSERT(document == wanted);
  apply_merge_patch(document, patch);
  RC_ASSERT(document == wanted);
}

RC_GTEST_PROP(JsonPatchOperations, RemoveUndoesAdd, ()) {
  Object object;
  for (int n = *rc::gen::inRange(0, 3); n > 0; --n) {
    object.set(*rc::gen::element<std::string>("a", "b"), arbitrary(2));
  }
  const Value document = object;
  const Value value = arbitrary(2);
  const std::string place = pointer_text({"new/one"});
  const auto added = json_patched(document, JsonPatch().add(place, value).operations());
  RC_ASSERT(added.ok());
  RC_ASSERT(*find(*added, *parse_pointer(place)) == value);
  const auto back = json_patched(*added, JsonPatch().test(place, value).remove(place).operations());
  RC_ASSERT(back.ok());
  RC_ASSERT(*back == document);
}

}  // namespace
}  // namespace json
