// SPDX-License-Identifier: Apache-2.0
#include "bridge/process/token_watch.h"

#include "net/testing/loop.h"
#include "slurm/testing/sample.h"
#include "slurm/testing/transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::process {
namespace {

using base::Error;
using base::Kind;
using slurm::testing::sample;
using slurm::testing::ScriptedTransport;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Verdict = slurm::TokenCheck::Verdict;
using namespace std::chrono_literals;

struct Watching : ::testing::Test {
  ~Watching() override {
    running.cancel();
    world.run(running.join());
  }

  void start() { running.spawn("token", watch.run()); }
  void pass(base::Duration time) { (void)world.run(world.loop.sleep_for(time)); }

  net::testing::VirtualWorld world;
  base::Result<net::http::Response> says = sample("token-check-fine");
  ScriptedTransport transport{world.loop, [this](const net::http::Request&) {
                                return ScriptedTransport::Reply{says, 5ms};
                              }};
  slurm::TokenSource tokens = slurm::TokenSource::fixed(base::Secret("token"));
  slurm::Client client{world.loop, transport, tokens};
  std::vector<std::string> lines;
  base::Log log{[this](std::string_view line) { lines.emplace_back(line); },
                world.clock,
                base::LogFormat::human};
  TokenWatch watch{world.loop, client, {"slurm-bridge", ""}, log};
  net::TaskGroup running{world.loop};
};

TEST_F(Watching, ATokenThatIsFineIsCheckedOnceAndNotLogged) {
  start();
  pass(24h);
  EXPECT_EQ(watch.latest().verdict, Verdict::fine);
  EXPECT_EQ(transport.calls.size(), 1U);
  EXPECT_THAT(lines, IsEmpty());
}

TEST_F(Watching, AWrongTokenIsLoggedAtOnceAndRarelyAgainUntilItIsReplaced) {
  says = sample("token-check-as-user");
  start();
  pass(1s);
  EXPECT_EQ(watch.latest().verdict, Verdict::wrong);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(lines[0], HasSubstr("not to SlurmUser"));
  pass(1h);
  EXPECT_GE(lines.size(), 5U);
  EXPECT_LE(lines.size(), 7U);
  lines.clear();
  says = sample("token-check-fine");
  pass(2min);
  EXPECT_EQ(watch.latest().verdict, Verdict::fine);
  EXPECT_THAT(lines, ElementsAre(HasSubstr("takes jobs under our token now")));
}

TEST_F(Watching, AnUnknownResultIsOneLogLineAndFewRequests) {
  says = Error(Kind::unreachable, "refused");
  start();
  pass(24h);
  EXPECT_EQ(watch.latest().verdict, Verdict::unknown);
  EXPECT_EQ(lines.size(), 1U);
  EXPECT_LT(transport.calls.size(), 60U);
  says = sample("token-check-fine");
  pass(1h);
  EXPECT_EQ(watch.latest().verdict, Verdict::fine);
}

TEST_F(Watching, AnAbsenceOfSlurmDoesNotResetAWrongToken) {
  says = sample("token-check-as-user");
  start();
  pass(1s);
  says = Error(Kind::unreachable, "refused");
  pass(10min);
  EXPECT_EQ(watch.latest().verdict, Verdict::wrong);
}

}  // namespace
}  // namespace bridge::process
