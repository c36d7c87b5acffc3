// SPDX-License-Identifier: Apache-2.0
#include "base/recent.h"

#include <gtest/gtest.h>

#include <string>

namespace base {
namespace {

TEST(Recent, ForgetsWhatWasUsedLongestAgo) {
  Recent<std::string, int> recent(2);
  recent.touch("a") = 1;
  recent.touch("b") = 2;
  EXPECT_EQ(recent.touch("a"), 1);
  recent.touch("c") = 3;
  EXPECT_EQ(recent.find("b"), nullptr);
  EXPECT_EQ(*recent.find("a"), 1);
  EXPECT_EQ(*recent.find("c"), 3);
  EXPECT_EQ(recent.size(), 2U);
}

TEST(Recent, FindingDoesNotMakeYounger) {
  Recent<std::string, int> recent(2);
  recent.touch("a") = 1;
  recent.touch("b") = 2;
  EXPECT_NE(recent.find("a"), nullptr);
  recent.touch("c") = 3;
  EXPECT_EQ(recent.find("a"), nullptr);
}

TEST(Recent, WhatIsErasedBeginsAnew) {
  Recent<std::string, int> recent(2);
  recent.touch("a") = 1;
  recent.erase("a");
  recent.erase("never there");
  EXPECT_EQ(recent.size(), 0U);
  EXPECT_EQ(recent.touch("a"), 0);
}

TEST(Recent, TheOneJustTouchedIsAlwaysThere) {
  Recent<int, int> recent(0);
  recent.touch(1) = 7;
  EXPECT_EQ(*recent.find(1), 7);
  recent.touch(2) = 8;
  EXPECT_EQ(recent.find(1), nullptr);
}

}  // namespace
}  // namespace base
