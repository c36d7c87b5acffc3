// SPDX-License-Identifier: Apache-2.0
#include "base/log_format.h"

#include "base/utf8.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

namespace base {
namespace {

using namespace std::chrono_literals;

std::string fields(LogFormat format, LogFields list) {
  std::string line;
  append_fields(line, format, {list.begin(), list.size()});
  return line;
}

std::string json(LogValue value) {
  return fields(LogFormat::json, {{"k", value}}).substr(5);
}

std::string human(LogValue value) {
  return fields(LogFormat::human, {{"k", value}}).substr(3);
}

TEST(LogFormat, every_type_of_value_has_its_text) {
  EXPECT_EQ(json(true), "true");
  EXPECT_EQ(json(-7), "-7");
  EXPECT_EQ(json(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(json(1.5), "1.5");
  EXPECT_EQ(json("text"), "\"text\"");
  EXPECT_EQ(json(std::string("text")), "\"text\"");
  EXPECT_EQ(json(std::string_view("text")), "\"text\"");
  EXPECT_EQ(json(static_cast<const char*>(nullptr)), "\"\"");
  EXPECT_EQ(json(1500ms), "\"1.5s\"");
  EXPECT_EQ(json(WallTime(0s)), "\"1970-01-01T00:00:00.000000Z\"");
  EXPECT_EQ(json(Error(Kind::conflict, "uid differs")), "\"conflict: uid differs\"");
  EXPECT_EQ(json(Strong<std::string, struct NodeTag>("k001")), "\"k001\"");
  EXPECT_EQ(json(std::optional<int>(3)), "3");
  EXPECT_EQ(json(std::optional<int>()), "null");
  EXPECT_EQ(json(Secret("x")), "\"[secret]\"");
}

TEST(LogFormat, numbers_that_json_cannot_express_are_strings) {
  EXPECT_EQ(json(std::numeric_limits<double>::quiet_NaN()), "\"nan\"");
  EXPECT_EQ(json(-std::numeric_limits<double>::infinity()), "\"-inf\"");
}

TEST(LogFormat, human_values_are_quoted_only_if_they_are_not_one_word) {
  EXPECT_EQ(human("a/b"), "a/b");
  EXPECT_EQ(human("two words"), "\"two words\"");
  EXPECT_EQ(human(""), "\"\"");
  EXPECT_EQ(human("a=b"), "\"a=b\"");
  EXPECT_EQ(human("say \"x\""), "\"say \\\"x\\\"\"");
  EXPECT_EQ(human(1500ms), "1.5s");
  EXPECT_EQ(fields(LogFormat::human, {{"bad key", 1}}), " \"bad key\"=1");
}

TEST(LogFormat, a_value_cannot_forge_a_line_or_a_field) {
  const LogValue evil = "x\n2026-11-15T19:05:02Z ERROR forged\x1B[2J\",\"level\":\"error";
  EXPECT_EQ(json(evil),
            "\"x\\n2026-11-15T19:05:02Z ERROR forged\\u001b[2J\\\",\\\"level\\\":\\\"error\"");
  EXPECT_EQ(human(evil), json(evil));
}

TEST(LogFormat, a_value_that_is_too_long_is_cut_and_its_length_is_shown) {
  const std::string text(kMaxLogText + 1, 'x');
  const std::string want = "\"" + std::string(kMaxLogText, 'x') + "... (8193 bytes)\"";
  EXPECT_EQ(json(text), want);
  EXPECT_EQ(human(text), want);
}

TEST(LogFormat, levels_are_read_as_the_reference_reads_them) {
  struct Row {
    std::string_view text;
    LogLevel want;
  };
  const Row rows[] = {
      {"debug", LogLevel::debug},
      {"info", LogLevel::info},
      {"warn", LogLevel::warn},
      {"error", LogLevel::error},
      {"ERROR", LogLevel::error},
      {"Info", LogLevel::info},
      {"panic", LogLevel::error},
      {"warning", LogLevel::warn},
      {"0", LogLevel::info},
      {"1", LogLevel::debug},
      {"5", LogLevel::debug},
      {"127", LogLevel::debug},
  };
  for (const Row& row : rows) EXPECT_EQ(*parse_log_level(row.text), row.want) << row.text;
  for (const char* text : {"", "-1", "loud", "info ", "1.5", "debugdebugdebugdebug"}) {
    EXPECT_FALSE(parse_log_level(text).ok()) << text;
  }
  EXPECT_EQ(
      parse_log_level("loud").error().message(),
      "\"loud\" is not a log level; write debug, info, warn, error, or a number from 0 (info) on "
      "for more detail");
  for (const LogLevel level : {LogLevel::debug, LogLevel::info, LogLevel::warn, LogLevel::error}) {
    EXPECT_EQ(*parse_log_level(name(level)), level);
  }
}

TEST(LogFormat, formats_are_read_by_name) {
  EXPECT_EQ(*parse_log_format("json"), LogFormat::json);
  EXPECT_EQ(*parse_log_format("console"), LogFormat::human);
  EXPECT_EQ(*parse_log_format("Human"), LogFormat::human);
  EXPECT_FALSE(parse_log_format("xml").ok());
}

RC_GTEST_PROP(LogFormat, one_record_is_one_valid_line, (const std::string& any)) {
  const auto format = *rc::gen::element(LogFormat::json, LogFormat::human);
  const LogField list[] = {{any, any}};
  const std::string line = format_record(format, {LogLevel::info, WallTime(), any, "", list});
  RC_ASSERT(is_utf8(line));
  RC_ASSERT(line.ends_with('\n'));
  RC_ASSERT(std::ranges::count_if(line, [](char c) {
              return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
            }) == 1);
}

}  // namespace
}  // namespace base
