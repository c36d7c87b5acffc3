// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/pod_placement.h"

#include <gtest/gtest.h>

namespace slurmop::parts {
namespace {

constexpr std::string_view kOurs =
    R"({"weight":10,"podAffinityTerm":{"labelSelector":{"matchLabels":{"a":"b"}},)"
    R"("topologyKey":"kubernetes.io/hostname"}})";

TEST(Spread, prefers_different_nodes) {
  EXPECT_EQ(spread({}, {{"a", "b"}}).dump(),
            R"({"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[)" +
                std::string(kOurs) + "]}}");
}

TEST(Spread, keeps_the_affinity_of_the_resource) {
  const auto given = json::parse(R"({"nodeAffinity":{"x":1},"podAntiAffinity":{)"
                                 R"("requiredDuringSchedulingIgnoredDuringExecution":[2],)"
                                 R"("preferredDuringSchedulingIgnoredDuringExecution":[3]}})");
  ASSERT_TRUE(given.ok());
  EXPECT_EQ(spread(*given, {{"a", "b"}}).dump(),
            R"({"nodeAffinity":{"x":1},"podAntiAffinity":{)"
            R"("requiredDuringSchedulingIgnoredDuringExecution":[2],)"
            R"("preferredDuringSchedulingIgnoredDuringExecution":[3,)" +
                std::string(kOurs) + "]}}");
}

TEST(Spread, ignores_what_is_not_an_affinity) {
  EXPECT_EQ(spread(json::Array{1}, {{"a", "b"}}), spread({}, {{"a", "b"}}));
  EXPECT_EQ(spread(json::Object{{"podAntiAffinity", "x"}}, {{"a", "b"}}), spread({}, {{"a", "b"}}));
}

}  // namespace
}  // namespace slurmop::parts
