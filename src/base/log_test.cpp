// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include "base/flags.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <optional>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

namespace base {
namespace {

using namespace std::chrono_literals;
using JobId = Strong<std::uint32_t, struct JobIdTag>;
using PodName = Strong<std::string, struct PodNameTag>;

class LogTest : public testing::Test {
 protected:
  Log make(LogFormat format, LogLevel level = LogLevel::info) {
    return {[this](std::string_view line) { lines_.emplace_back(line); }, clock_, format, level};
  }

  VirtualClock clock_{WallTime(1'794'769'502s)};
  std::vector<std::string> lines_;
};

TEST_F(LogTest, a_line_has_time_level_message_and_fields) {
  const PodName pod("a/train-0");
  make(LogFormat::human).info("bound pod", {{"pod", pod}, {"job", JobId(4711)}});
  make(LogFormat::json).info("bound pod", {{"pod", pod}, {"job", JobId(4711)}});
  EXPECT_EQ(lines_[0], "2026-11-15T19:05:02.000000Z INFO  bound pod pod=a/train-0 job=4711\n");
  EXPECT_EQ(lines_[1],
            "{\"level\":\"info\",\"ts\":\"2026-11-15T19:05:02.000000Z\",\"msg\":\"bound pod\","
            "\"pod\":\"a/train-0\",\"job\":4711}\n");
}

TEST_F(LogTest, time_comes_from_the_clock) {
  const Log log = make(LogFormat::human);
  clock_.advance_to(Instant(1500ms));
  log.warn("slow");
  EXPECT_EQ(lines_[0], "2026-11-15T19:05:03.500000Z WARN  slow\n");
}

TEST_F(LogTest, only_lines_of_the_level_and_above_are_written) {
  Log log = make(LogFormat::human, LogLevel::warn);
  log.debug("d");
  log.info("i");
  EXPECT_TRUE(lines_.empty());
  EXPECT_FALSE(log.enabled(LogLevel::info));
  log.warn("w");
  log.error("e");
  EXPECT_EQ(lines_.size(), 2U);
}

TEST_F(LogTest, the_level_changes_at_run_time_for_every_log_of_one_sink) {
  Log log = make(LogFormat::human);
  const Log child = log.with({{"logger", "mirror"}});
  child.debug("before");
  log.set_level(LogLevel::debug);
  child.debug("after");
  ASSERT_EQ(lines_.size(), 1U);
  EXPECT_EQ(lines_[0], "2026-11-15T19:05:02.000000Z DEBUG after logger=mirror\n");
}

TEST_F(LogTest, context_fields_come_first_and_accumulate) {
  const Log log = make(LogFormat::json).with({{"logger", "scheduler"}}).with({{"seed", 7}});
  log.info("x", {{"n", 1}});
  EXPECT_NE(lines_[0].find("\"msg\":\"x\",\"logger\":\"scheduler\",\"seed\":7,\"n\":1}"),
            std::string::npos);
}

TEST_F(LogTest, a_secret_never_reaches_a_line) {
  const Secret token("eyJhbGciOi");
  make(LogFormat::json).info("signed in", {{"token", token}});
  make(LogFormat::human).info("signed in", {{"token", token}});
  for (const std::string& line : lines_) {
    EXPECT_NE(line.find("[secret]"), std::string::npos);
    EXPECT_EQ(line.find("eyJ"), std::string::npos);
  }
}

TEST_F(LogTest, a_log_without_a_sink_writes_nothing) {
  Log log;
  log.set_level(LogLevel::debug);
  EXPECT_FALSE(log.enabled(LogLevel::error));
  log.with({{"a", 1}}).error("not written");
}

static_assert(!std::is_convertible_v<Secret, std::string_view>);
static_assert(!std::is_convertible_v<Secret, std::string>);

RC_GTEST_PROP(LogProperty, a_secret_is_never_logged_in_any_form, ()) {
  const auto letter = rc::gen::inRange('!', '~');
  const auto text = "s3cr3t" + *rc::gen::container<std::string>(letter);
  const Secret secret(text);
  VirtualClock clock;
  for (const LogFormat format : {LogFormat::json, LogFormat::human}) {
    std::string all;
    const Log log([&](std::string_view line) { all += line; }, clock, format);
    std::ostringstream printed;
    printed << secret;
    log.info("field", {{"token", secret}, {"maybe", std::optional<Secret>(secret)}});
    log.with({{"token", secret}}).error("context");
    log.warn(fmt::format("message {}", secret), {{"printed", printed.str()}});
    RC_ASSERT(all.find("s3cr3t") == std::string::npos);
    RC_ASSERT(all.find("[secret]") != std::string::npos);
  }
}

TEST_F(LogTest, the_level_is_parsed_from_the_flag) {
  for (const auto& [name, shown] :
       {std::pair{"debug", 4}, std::pair{"info", 3}, std::pair{"error", 1}, std::pair{"5", 4}}) {
    LogLevel level = LogLevel::info;
    Flags flags("x", "");
    flags.add(
        "zap-log-level",
        [&level](std::string_view value) -> Result<void> {
          TRY(level, parse_log_level(value));
          return {};
        },
        "LEVEL",
        "how much to log");
    ASSERT_TRUE(flags.parse(std::vector<std::string_view>{"-zap-log-level", name}).ok());
    lines_.clear();
    const Log log = make(LogFormat::human, level);
    log.debug("d");
    log.info("i");
    log.warn("w");
    log.error("e");
    EXPECT_EQ(lines_.size(), static_cast<std::size_t>(shown)) << name;
  }
}

}  // namespace
}  // namespace base
