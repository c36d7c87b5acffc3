// SPDX-License-Identifier: Apache-2.0
#include "base/lru_map.h"

#include <gtest/gtest.h>

#include <string>

namespace base {
namespace {

TEST(LruMap, DropsTheLeastRecentlyTouchedEntry) {
  LruMap<std::string, int> map(2);
  map.touch("a") = 1;
  map.touch("b") = 2;
  EXPECT_EQ(map.touch("a"), 1);
  map.touch("c") = 3;
  EXPECT_EQ(map.find("b"), nullptr);
  EXPECT_EQ(*map.find("a"), 1);
  EXPECT_EQ(*map.find("c"), 3);
  EXPECT_EQ(map.size(), 2U);
}

TEST(LruMap, FindDoesNotCountAsUse) {
  LruMap<std::string, int> map(2);
  map.touch("a") = 1;
  map.touch("b") = 2;
  EXPECT_NE(map.find("a"), nullptr);
  map.touch("c") = 3;
  EXPECT_EQ(map.find("a"), nullptr);
}

TEST(LruMap, AnErasedEntryIsRecreatedEmpty) {
  LruMap<std::string, int> map(2);
  map.touch("a") = 1;
  map.erase("a");
  map.erase("never there");
  EXPECT_EQ(map.size(), 0U);
  EXPECT_EQ(map.touch("a"), 0);
}

TEST(LruMap, TheLastTouchedEntryIsKeptEvenAtSizeZero) {
  LruMap<int, int> map(0);
  map.touch(1) = 7;
  EXPECT_EQ(*map.find(1), 7);
  map.touch(2) = 8;
  EXPECT_EQ(map.find(1), nullptr);
}

}  // namespace
}  // namespace base
