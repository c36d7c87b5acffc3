// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/cadence.h"

#include <gtest/gtest.h>

namespace slurm::inline mirror {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

base::Instant at(int ms) {
  return base::Instant(milliseconds(ms));
}

TEST(Cadence, KeepsItsIntervalAndNeverOverlaps) {
  Cadence cadence;
  EXPECT_EQ(cadence.due(seconds(1)), base::Instant::min());
  cadence.started(at(0));
  EXPECT_EQ(cadence.due(seconds(1)), base::kNever);
  cadence.ended(at(10), true);
  EXPECT_EQ(cadence.due(seconds(1)), at(1000));
  EXPECT_EQ(cadence.due(milliseconds(100)), at(100));
}

TEST(Cadence, RestsLongerWhereTheServerIsSlow) {
  Cadence cadence;
  cadence.started(at(0));
  cadence.ended(at(200), true);
  EXPECT_EQ(cadence.due(milliseconds(100)), at(800));
  cadence.started(at(1000));
  cadence.ended(at(61'000), true);
  EXPECT_EQ(cadence.due(milliseconds(100)), at(71'000));  // limited
  cadence.started(at(80'000));
  cadence.ended(at(90'000), false);
  // After a failure only the back-off applies.
  EXPECT_EQ(cadence.due(milliseconds(100)), at(90'000));
}

}  // namespace
}  // namespace slurm::inline mirror
