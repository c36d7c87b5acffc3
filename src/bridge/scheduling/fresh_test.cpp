// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/fresh.h"

#include <gtest/gtest.h>

namespace bridge::scheduling {
namespace {

using namespace std::chrono_literals;

constexpr base::Instant kNow{1h};

TEST(Fresh, ABindNeedsAReadOfTheJobWithinTwelveSeconds) {
  struct Row {
    const char* what;
    base::Instant polled;
    base::Instant read;
    bool want;
  };
  const Row kRows[] = {
      {"never asked", base::Instant::min(), base::Instant::min(), false},
      {"polled just now, not read", kNow - 1s, base::Instant::min(), false},
      {"polled just now, read before another job could get the id", kNow - 1s, kNow - 13s, false},
      {"a read that took 7 s", kNow - 7s, kNow - 7s, true},
      {"a read that took as long as a call may", kNow - 10s, kNow - 10s, true},
      {"read by a process that was stopped for 40 s", kNow - 40s, kNow - 40s, false},
  };
  for (const Row& row : kRows) {
    slurm::JobView view;
    view.as_of = row.polled;
    view.read_as_of = row.read;
    EXPECT_EQ(is_fresh(view, kNow), row.want) << row.what;
  }
}

}  // namespace
}  // namespace bridge::scheduling
