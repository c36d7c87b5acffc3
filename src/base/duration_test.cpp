// SPDX-License-Identifier: Apache-2.0
#include "base/duration.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace base {
namespace {

using namespace std::chrono_literals;

TEST(Duration, reads_what_go_writes) {
  struct Row {
    std::string_view text;
    Duration want;
  };
  const Row rows[] = {
      {"0", 0ns},
      {"0s", 0ns},
      {"15s", 15s},
      {"1h30m", 90min},
      {"1.5h", 90min},
      {"300ms", 300ms},
      {"-2us", -2us},
      {"+3s", 3s},
      {".5s", 500ms},
      {"1.s", 1s},
      {"2\xC2\xB5s", 2us},
      {"2\xCE\xBCs", 2us},
      {"1m0.25s", 60250ms},
      {"0.3333333333333333333h", 1199999999999ns},
      {"1h1h", 2h},
      {"9223372036854775807ns", Duration::max()},
  };
  for (const Row& row : rows) {
    const Result<Duration> got = parse_duration(row.text);
    ASSERT_TRUE(got.ok()) << row.text;
    EXPECT_EQ(*got, row.want) << row.text;
  }
}

TEST(Duration, rejects_missing_units_and_values_out_of_range) {
  for (const char* text : {"",
                           "-",
                           "+",
                           "1",
                           "00",
                           "1x",
                           "s",
                           ".s",
                           ".",
                           "1.5",
                           "1s ",
                           " 1s",
                           "1 s",
                           "--1s",
                           "1d",
                           "9223372036854775808ns",
                           "2562048h",
                           "99999999999999999999999h",
                           "9223372036s9223372036s"}) {
    EXPECT_FALSE(parse_duration(text).ok()) << text;
  }
  EXPECT_FALSE(parse_duration(std::string(1'000'000, '9') + "s").ok());
  EXPECT_EQ(
      parse_duration("15").error().message(),
      "\"15\" is not a duration up to 292 years; write numbers with the units h, m, s, ms, us or "
      "ns, like \"1h30m\" or \"1.5s\"");
}

TEST(Duration, prints_like_go) {
  EXPECT_EQ(format_duration(0ns), "0s");
  EXPECT_EQ(format_duration(999ns), "999ns");
  EXPECT_EQ(format_duration(1500ns), "1.5\xC2\xB5s");
  EXPECT_EQ(format_duration(300ms), "300ms");
  EXPECT_EQ(format_duration(1500ms), "1.5s");
  EXPECT_EQ(format_duration(90min), "1h30m0s");
  EXPECT_EQ(format_duration(61s + 1ns), "1m1.000000001s");
  EXPECT_EQ(format_duration(-2s), "-2s");
  EXPECT_EQ(format_duration(Duration::min()), "-2562047h47m16.854775808s");
}

RC_GTEST_PROP(Duration, a_round_trip_preserves_the_duration, (std::int64_t count)) {
  RC_PRE(count != INT64_MIN);
  RC_ASSERT(*parse_duration(format_duration(Duration(count))) == Duration(count));
}

}  // namespace
}  // namespace base
