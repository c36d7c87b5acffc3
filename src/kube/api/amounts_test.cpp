// SPDX-License-Identifier: Apache-2.0
#include "kube/api/amounts.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>

namespace kube::inline api {
namespace {

base::Quantity q(std::string_view text) {
  return base::Quantity::parse(text).value();
}

TEST(Amounts, AreWholeNumbersRoundedUp) {
  const Amounts amounts(ResourceList{
      {"cpu", q("1.5")}, {"memory", q("1Gi")}, {"nvidia.com/gpu", q("2")}, {"a/b", q("0")}});
  EXPECT_EQ(amounts["cpu"], 1500);
  EXPECT_EQ(amounts["memory"], 1 << 30);
  EXPECT_EQ(amounts["nvidia.com/gpu"], 2);
  EXPECT_EQ(amounts["a/b"], 0);
  EXPECT_EQ(Amounts(ResourceList{{"cpu", q("100u")}})["cpu"], 1);
}

TEST(Amounts, AreLimitedToTheMost) {
  const Amounts amounts(ResourceList{{"cpu", q("9E")}, {"memory", q("9E")}, {"a/b", q("-1")}});
  EXPECT_EQ(amounts["cpu"], Amounts::kMost);
  EXPECT_EQ(amounts["memory"], Amounts::kMost);
  EXPECT_EQ(amounts["a/b"], 0);
}

TEST(Amounts, AreFormattedAsInKubernetes) {
  EXPECT_EQ(amount_text("cpu", 1500), "1500m");
  EXPECT_EQ(amount_text("cpu", 2000), "2");
  EXPECT_EQ(amount_text("memory", std::int64_t{4} << 30), "4Gi");
  EXPECT_EQ(amount_text("nvidia.com/gpu", 3), "3");
}

TEST(Amounts, SubtractingUndoesAdding) {
  constexpr std::array kNames = {"cpu", "memory", "ephemeral-storage", "nvidia.com/gpu", "a/b"};
  const auto some = [&] {
    ResourceList list;
    for (const char* name : kNames)
      list[name] = base::Quantity::units(*rc::gen::inRange<std::int64_t>(0, 3));
    return Amounts(list);
  };
  const bool held = rc::check("no trace", [&] {
    const Amounts before = some();
    const Amounts other = some();
    Amounts after = before;
    after.add(other);
    for (const char* name : kNames) RC_ASSERT(after[name] == before[name] + other[name]);
    after.take_away(other);
    RC_ASSERT(after == before);
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace kube::inline api
