// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/error_number.h"

#include <gtest/gtest.h>

namespace slurm::inline api {
namespace {

using base::Kind;

struct Row {
  int number;
  Kind want;
};

TEST(Meaning, ARefusalIsSlurmctldsVerdictOnTheRequest) {
  for (const int number :
       {2000, 2003, 2005, 2010, 2012, 2014, 2018, 2029, 2038, 2045, 2048, 2051, 2052,
        2053, 2066, 2072, 2073, 2081, 2166, 2189, 2036, 2500, 2999, 7001, 8000}) {
    EXPECT_EQ(meaning(number).kind, Kind::refused) << number;
  }
}

TEST(Meaning, WhatPassesByItselfIsUnavailable) {
  // Counts and limits, a controller that is away or in standby, nodes or partitions that are down.
  for (const int number : {2007, 2013, 2016, 2027, 2040, 2050, 2055, 2056, 2070, 2101, 2105,
                           2131, 1000, 1001, 1800, 1801, 1802, 1803, 5003, 5004, 5005, 7000}) {
    EXPECT_EQ(meaning(number).kind, Kind::unavailable) << number;
  }
}

TEST(Meaning, ABareErrnoProvesNothing) {
  // A cancel while the controller is unavailable is answered with 403 and number 1, "Operation not
  // permitted".
  for (const int number : {-1, 0, 1, 11, 22, 110, 4321, 123456}) {
    EXPECT_EQ(meaning(number).kind, Kind::unavailable) << number;
  }
}

TEST(Meaning, HasItsOwnKindWhereTheCallerActsDifferently) {
  const Row kRows[] = {
      {2017, Kind::not_found},
      {2021, Kind::conflict},
      {2084, Kind::conflict},
      {2085, Kind::conflict},
      {2002, Kind::forbidden},
      {1007, Kind::unauthorized},
      {6010, Kind::unauthorized},
      {6001, Kind::unauthorized},
      {9008, Kind::unauthorized},
      {1804, Kind::too_many},
      {9000, Kind::invalid},
      {9207, Kind::invalid},
  };
  for (const Row& row : kRows) EXPECT_EQ(meaning(row.number).kind, row.want) << row.number;
}

TEST(Meaning, NamesThePartOfTheRequestToChange) {
  EXPECT_EQ(meaning(2066).fix, "the QOS");
  EXPECT_EQ(meaning(2051).fix, "the time limit");
  EXPECT_NE(meaning(2014).fix, "");
  EXPECT_EQ(meaning(2500).fix, "");
}

TEST(ProvesNoEffect, HoldsOnlyForVerdictsOfSlurmctldAndForRequestsThatNeverReachedIt) {
  for (const int number : {2000, 2045, 2999, 6010, 9000, 9207, 1800, 1007, 1804}) {
    EXPECT_TRUE(proves_no_effect(number)) << number;
  }
  for (const int number : {-1, 0, 1, 110, 1000, 1001, 1801, 1802, 1803, 5003, 5004, 5005, 123456}) {
    EXPECT_FALSE(proves_no_effect(number)) << number;
  }
}

}  // namespace
}  // namespace slurm::inline api
