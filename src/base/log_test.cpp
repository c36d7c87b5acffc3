// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <gtest/gtest.h>

#include <cstdint>
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

TEST_F(LogTest, a_line_says_when_how_bad_what_and_about_which) {
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

TEST_F(LogTest, context_comes_first_and_adds_up) {
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

TEST_F(LogTest, a_log_without_a_sink_says_nothing) {
  Log log;
  log.set_level(LogLevel::debug);
  EXPECT_FALSE(log.enabled(LogLevel::error));
  log.with({{"a", 1}}).error("nobody hears this");
}

}  // namespace
}  // namespace base
