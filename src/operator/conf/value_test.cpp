// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/value.h"

#include "operator/conf/tokens.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace slurmop::conf {
namespace {

TEST(Key, is_a_word_and_never_include) {
  EXPECT_TRUE(Key::parse("SlurmctldHost").ok());
  EXPECT_TRUE(Key::parse("X11Parameters").ok());
  for (const std::string text : {"", "a b", "a=b", "1a", "a#", "a\n", "Include", "iNCLUDE", "ä"}) {
    EXPECT_FALSE(Key::parse(text).ok()) << text;
  }
  EXPECT_FALSE(Key::parse(std::string(65, 'a')).ok());
}

TEST(Value, refuses_what_slurm_would_read_as_something_else) {
  struct Row {
    std::string text;
    std::string_view message;
  };
  const Row kRows[] = {
      {"", "is empty"},
      {"a\nSlurmUser=root", "line break"},
      {"a\r", "line break"},
      {std::string("a\0b", 3), "control character"},
      {"a\tFoo=b", "control character"},
      {"\x7F", "control character"},
      {"caf\xC3\xA9", "not ASCII"},
      {"a Foo=bar", "second Key=Value"},
      {"a Foo =bar", "second Key=Value"},
      {"a Foo+=bar", "second Key=Value"},
      {"a # b", "comment"},
      {"a\\", "backslash"},
      {"a\\#b", "backslash"},
      {"a\"", "double quote"},
      {" a", "begins or ends with a blank"},
      {"a ", "begins or ends with a blank"},
      {std::string(kLongestValue + 1, 'a'), "more than"},
  };
  for (const Row& row : kRows) {
    const auto value = Value::parse(row.text);
    ASSERT_FALSE(value.ok()) << row.text;
    EXPECT_NE(value.error().message().find(row.message), std::string::npos)
        << value.error().message();
  }
}

TEST(Value, is_quoted_only_where_slurm_needs_it) {
  EXPECT_EQ(Value::parse("jwt_key=/a/b,c=1")->rendered(), "jwt_key=/a/b,c=1");
  EXPECT_EQ(Value::parse("ctl(10.0.0.1)")->rendered(), "ctl(10.0.0.1)");
  EXPECT_EQ(Value::parse("--interactive --pty $SHELL")->rendered(),
            "\"--interactive --pty $SHELL\"");
  EXPECT_EQ(Value::parse("-x --mem=1")->rendered(), "\"-x --mem=1\"");
}

RC_GTEST_PROP(Value, any_accepted_text_is_read_back_as_this_one_value, ()) {
  const std::string letters = "aB1 =,.-_/()[]'$#\\\"\n\t";
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(letters));
  const auto value = Value::parse(text);
  if (!value.ok()) return;
  const auto line = read_line("Key=" + value->rendered());
  RC_ASSERT(line.ok());
  RC_ASSERT(line->has_value());
  RC_ASSERT((*line)->pairs().size() == 1U);
  RC_ASSERT((*line)->first().value.text() == text);
}

}  // namespace
}  // namespace slurmop::conf
