// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/report.h"

#include <gtest/gtest.h>

#include <chrono>

namespace slurmop::agent {
namespace {

using base::Kind;

const base::WallTime kTime{std::chrono::seconds(1'700'000'000)};

TEST(AgentReport, HasTheMembersOfTheContract) {
  EXPECT_EQ(encode({}), R"({"seen":"","active":"","error":""})");
  EXPECT_EQ(encode({"b", "a", "slurm.conf line 3: \"}\"", kTime}),
            R"({"seen":"b","active":"a","error":"slurm.conf line 3: \"}\"",)"
            R"("checked_at":"2023-11-14T22:13:20Z"})");
}

TEST(AgentReport, IsReadBackAsItWasWritten) {
  for (const Report& report : {Report{}, Report{"b", "a", "line 1\nline 2", kTime}}) {
    const auto decoded = decode_report(encode(report));
    ASSERT_TRUE(decoded.ok()) << decoded.error().message();
    EXPECT_EQ(*decoded, report);
  }
}

TEST(AgentReport, OfAnotherVersionIsReadAsFarAsItIsKnown) {
  const auto decoded = decode_report(R"({"active":"a","error":null,"later":[1]})");
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(*decoded, (Report{.active = "a"}));
}

TEST(AgentReport, OtherTextIsAnError) {
  for (const char* text :
       {"", "[]", "1", "{", R"({"seen":1})", R"({"error":{}})", R"({"checked_at":"yesterday"})"}) {
    const auto decoded = decode_report(text);
    ASSERT_FALSE(decoded.ok()) << text;
    EXPECT_TRUE(decoded.error().is(Kind::protocol)) << text;
  }
}

}  // namespace
}  // namespace slurmop::agent
