// SPDX-License-Identifier: Apache-2.0
#include "base/rfc3339.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace base {
namespace {

using namespace std::chrono_literals;

WallTime at(std::int64_t unix_seconds, Duration more = 0ns) {
  return WallTime(std::chrono::seconds(unix_seconds)) + more;
}

TEST(Rfc3339, reads_fractions_and_offsets) {
  struct Row {
    std::string_view text;
    WallTime want;
  };
  const Row rows[] = {
      {"1970-01-01T00:00:00Z", at(0)},
      {"2026-11-15T19:05:02Z", at(1'794'769'502)},
      {"2026-11-15T19:05:02.5Z", at(1'794'769'502, 500ms)},
      {"2026-11-15T19:05:02.123456Z", at(1'794'769'502, 123456us)},
      {"2026-11-15T19:05:02.123456789Z", at(1'794'769'502, 123456789ns)},
      {"2026-11-15T19:05:02.12345678999Z", at(1'794'769'502, 123456789ns)},
      {"2026-11-15T20:05:02+01:00", at(1'794'769'502)},
      {"2026-11-15T13:35:02-05:30", at(1'794'769'502)},
      {"2026-11-15T19:05:02+00:00", at(1'794'769'502)},
      {"2024-02-29T23:59:59Z", at(1'709'251'199)},
      {"1969-12-31T23:59:59.25Z", at(-1, 250ms)},
      {"2261-12-31T23:59:59-23:59", at(9'214'732'739)},
      {"1678-01-01T00:00:00+23:59", at(-9'214'646'340)},
  };
  for (const Row& row : rows) {
    const Result<WallTime> got = parse_rfc3339(row.text);
    ASSERT_TRUE(got.ok()) << row.text;
    EXPECT_EQ(*got, row.want) << row.text;
  }
}

TEST(Rfc3339, rejects_impossible_and_unrepresentable_times) {
  for (const char* text : {"",
                           "2026",
                           "2026-11-15",
                           "2026-11-15T19:05:02",
                           "2026-11-15T19:05Z",
                           "2026-11-15 19:05:02Z",
                           "2026-11-15t19:05:02Z",
                           "2026-11-15T19:05:02z",
                           "2026-00-15T19:05:02Z",
                           "2026-13-15T19:05:02Z",
                           "2026-11-00T19:05:02Z",
                           "2026-11-31T19:05:02Z",
                           "2026-02-29T19:05:02Z",
                           "2026-11-15T24:05:02Z",
                           "2026-11-15T19:60:02Z",
                           "2026-11-15T19:05:60Z",
                           "2026-11-15T19:05:02.Z",
                           "2026-11-15T19:05:02,5Z",
                           "2026-11-15T19:05:02+0100",
                           "2026-11-15T19:05:02+24:00",
                           "2026-11-15T19:05:02+01:60",
                           "2026-11-15T19:05:02ZZ",
                           "2026-11-15T19:05:02Z ",
                           " 2026-11-15T19:05:02Z",
                           "2026-1-15T19:05:02Z",
                           "+026-11-15T19:05:02Z",
                           "2026-11-15T19:05:-2Z",
                           "0001-01-01T00:00:00Z",
                           "1677-12-31T23:59:59Z",
                           "2262-01-01T00:00:00Z",
                           "9999-12-31T23:59:59Z"}) {
    const Result<WallTime> got = parse_rfc3339(text);
    ASSERT_FALSE(got.ok()) << text;
    EXPECT_TRUE(got.error().is(Kind::invalid)) << text;
  }
  EXPECT_FALSE(parse_rfc3339("2026-11-15T19:05:02." + std::string(1'000'000, '1') + "Z").ok());
  EXPECT_EQ(
      parse_rfc3339("yesterday").error().message(),
      "\"yesterday\" is not a time from 1678 to 2261; write it like \"2026-11-15T19:05:02Z\" or "
      "\"2026-11-15T20:05:02.5+01:00\"");
}

TEST(Rfc3339, writes_kubernetes_time_and_micro_time) {
  EXPECT_EQ(format_rfc3339(at(1'794'769'502, 999ms)), "2026-11-15T19:05:02Z");
  EXPECT_EQ(format_rfc3339_micro(at(1'794'769'502)), "2026-11-15T19:05:02.000000Z");
  EXPECT_EQ(format_rfc3339_micro(at(1'794'769'502, 1234567ns)), "2026-11-15T19:05:02.001234Z");
  EXPECT_EQ(format_rfc3339(at(-1)), "1969-12-31T23:59:59Z");
  EXPECT_EQ(format_rfc3339(at(0, -1ns)), "1969-12-31T23:59:59Z");
  EXPECT_EQ(format_rfc3339_micro(at(0, -1ns)), "1969-12-31T23:59:59.999999Z");
}

RC_GTEST_PROP(Rfc3339, a_round_trip_preserves_the_time, ()) {
  const auto micros =
      *rc::gen::inRange<std::int64_t>(-9'000'000'000'000'000, 9'000'000'000'000'000);
  const WallTime when{std::chrono::microseconds(micros)};
  RC_ASSERT(*parse_rfc3339(format_rfc3339_micro(when)) == when);
  RC_ASSERT(*parse_rfc3339(format_rfc3339(when)) == std::chrono::floor<std::chrono::seconds>(when));
}

}  // namespace
}  // namespace base
