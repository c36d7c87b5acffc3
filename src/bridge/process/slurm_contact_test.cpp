// SPDX-License-Identifier: Apache-2.0
#include "bridge/process/slurm_contact.h"

#include "net/testing/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::process {
namespace {

using base::Error;
using base::Kind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

struct Contact : ::testing::Test {
  Contact() { running.spawn("contact", contact.run()); }
  ~Contact() override {
    running.cancel();
    world.run(running.join());
  }

  void pass(base::Duration time) { (void)world.run(world.loop.sleep_for(time)); }

  net::testing::VirtualWorld world;
  std::vector<std::string> said;
  std::vector<std::string> lines;
  base::Log log{[this](std::string_view line) { lines.emplace_back(line); },
                world.clock,
                base::LogFormat::human};
  SlurmContact contact{
      world.loop, log, [this](kube::Severity, std::string reason, const std::string&) {
        said.push_back(std::move(reason));
      }};
  const Error refused{Kind::unreachable, "connection refused"};
  net::TaskGroup running{world.loop};
};

TEST_F(Contact, IsUnknownBeforeTheFirstRequest) {
  EXPECT_EQ(contact.up(), std::nullopt);
  EXPECT_EQ(contact.problem(), "");
  contact.restored();
  pass(60s);
  EXPECT_EQ(contact.up(), true);
  EXPECT_THAT(said, IsEmpty());
  EXPECT_THAT(lines, IsEmpty());
}

TEST_F(Contact, AnAbsenceIsReportedOnceAndItsEndOnce) {
  contact.restored();
  contact.lost(refused);
  EXPECT_EQ(contact.up(), false);
  pass(9s);
  EXPECT_THAT(said, IsEmpty());
  contact.lost(refused);  // repeated: the absence counts from the first time
  pass(2s);
  EXPECT_THAT(said, ElementsAre("SlurmUnreachable"));
  pass(1h);
  contact.lost(refused);
  EXPECT_THAT(contact.problem(), HasSubstr("3611 s: unreachable: connection refused"));
  contact.restored();
  pass(1h);
  EXPECT_EQ(contact.problem(), "");
  EXPECT_THAT(said, ElementsAre("SlurmUnreachable", "SlurmReachable"));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_THAT(lines[1], HasSubstr("3611"));
}

TEST_F(Contact, AShortAbsenceIsNotReported) {
  for (int i = 0; i < 20; ++i) {
    contact.lost(refused);
    pass(5s);
    contact.restored();
    pass(1s);
  }
  EXPECT_THAT(said, IsEmpty());
  EXPECT_THAT(lines, IsEmpty());
}

}  // namespace
}  // namespace bridge::process
