// SPDX-License-Identifier: Apache-2.0
#include "base/strong.h"

#include <gtest/gtest.h>

#include <concepts>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <type_traits>
#include <unordered_set>

namespace base {
namespace {

using PodUid = Strong<std::string, struct PodUidTag>;
using NodeName = Strong<std::string, struct NodeNameTag>;
using JobId = Strong<std::uint32_t, struct JobIdTag>;

TEST(Strong, does_not_convert_implicitly) {
  static_assert(!std::is_convertible_v<std::string, PodUid>);
  static_assert(!std::is_convertible_v<PodUid, std::string>);
  static_assert(!std::is_constructible_v<PodUid, NodeName>);
  static_assert(!std::equality_comparable_with<PodUid, NodeName>);
  static_assert(!std::equality_comparable_with<PodUid, std::string>);
  static_assert(sizeof(JobId) == sizeof(std::uint32_t));
  EXPECT_EQ(PodUid("u-1").value(), "u-1");
  EXPECT_EQ(JobId().value(), 0U);
}

TEST(Strong, compares_like_its_value) {
  EXPECT_EQ(JobId(7), JobId(7));
  EXPECT_NE(JobId(7), JobId(8));
  EXPECT_LT(JobId(9), JobId(10));
  EXPECT_LT(PodUid("a"), PodUid("b"));
  const std::map<JobId, int> ordered = {{JobId(10), 2}, {JobId(9), 1}};
  EXPECT_EQ(ordered.begin()->second, 1);
}

TEST(Strong, hashes_for_std_and_boost) {
  const std::unordered_set<PodUid> set = {PodUid("a"), PodUid("b"), PodUid("a")};
  EXPECT_EQ(set.size(), 2U);
  EXPECT_EQ(hash_value(PodUid("a")), std::hash<PodUid>()(PodUid("a")));
}

TEST(Strong, prints_like_its_value) {
  EXPECT_EQ(fmt::format("{} on {:>4}", JobId(4711), NodeName("k1")), "4711 on   k1");
  std::ostringstream out;
  out << JobId(12);
  EXPECT_EQ(out.str(), "12");
}

TEST(Strong, its_value_can_be_moved_out) {
  PodUid uid("a-long-enough-uid-to-live-on-the-heap");
  const std::string taken = std::move(uid).value();
  EXPECT_EQ(taken, "a-long-enough-uid-to-live-on-the-heap");
}

}  // namespace
}  // namespace base
