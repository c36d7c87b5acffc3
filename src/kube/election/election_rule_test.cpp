// SPDX-License-Identifier: Apache-2.0
#include "kube/election/election_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kube::inline election {
namespace {

using namespace std::chrono_literals;

Lease lease(std::string holder, int seconds, std::string renewed = "2026-11-15T12:00:00.000000Z") {
  Lease made;
  made.metadata.uid = Uid("u");
  made.metadata.resourceVersion = "7";
  made.spec.holderIdentity = std::move(holder);
  made.spec.leaseDurationSeconds = seconds;
  made.spec.renewTime = std::move(renewed);
  made.spec.leaseTransitions = 3;
  return made;
}

struct Row {
  std::string_view cause;
  std::optional<Lease> seen;
  base::Duration since_then;
  ElectionStep want;
};

TEST(ElectionRule, DecidesByTheRecordAndItsAge) {
  const Row rows[] = {
      {"there is none", std::nullopt, 0s, ElectionStep::create},
      {"no holder", lease("", 15), 0s, ElectionStep::take},
      {"it is ours", lease("me", 15), 0s, ElectionStep::renew},
      {"it is ours and long expired", lease("me", 15), 1h, ElectionStep::renew},
      {"just seen", lease("other", 15), 0s, ElectionStep::wait},
      {"a moment before its time", lease("other", 15), 15s - 1ns, ElectionStep::wait},
      {"its time is over", lease("other", 15), 15s, ElectionStep::take},
      {"its holder promised more than we would", lease("other", 60), 59s, ElectionStep::wait},
      {"its holder promised less than we would", lease("other", 5), 5s, ElectionStep::take},
      {"no duration: ours counts", lease("other", 0), 14s, ElectionStep::wait},
      {"no duration, ours is over", lease("other", 0), 15s, ElectionStep::take},
      {"renewed in the far past",
       lease("other", 15, "1999-01-01T00:00:00Z"),
       0s,
       ElectionStep::wait},
      {"renewed in the future",
       lease("other", 15, "2099-01-01T00:00:00Z"),
       15s,
       ElectionStep::take},
      {"a time that is none", lease("other", 15, "soon"), 0s, ElectionStep::wait},
  };
  for (const Row& row : rows) {
    ObservedLease observed;
    const base::Instant then(100s);
    if (row.seen) observed.saw(*row.seen, then);
    EXPECT_EQ(next_step(observed, "me", then + row.since_then, 15s), row.want) << row.cause;
  }
}

TEST(ElectionRule, OnlyAChangeOfTheRecordProvesThatTheHolderIsAlive) {
  ObservedLease observed;
  const auto step_at = [&](base::Duration when) {
    return next_step(observed, "me", base::Instant(when), 15s);
  };
  observed.saw(lease("other", 15, "a"), base::Instant(0s));
  Lease annotated = lease("other", 15, "a");
  annotated.metadata.resourceVersion = "8";  // another client added a label
  observed.saw(annotated, base::Instant(10s));
  EXPECT_EQ(step_at(15s), ElectionStep::take);
  EXPECT_EQ(observed.lease()->metadata.resourceVersion, "8") << "writes use the newest version";

  observed.saw(lease("other", 15, "b"), base::Instant(14s));
  EXPECT_EQ(step_at(28s), ElectionStep::wait);
  EXPECT_EQ(step_at(29s), ElectionStep::take);

  Lease same_name = lease("other", 15, "b");
  same_name.metadata.uid = Uid("v");
  observed.saw(same_name, base::Instant(29s));
  EXPECT_EQ(step_at(43s), ElectionStep::wait);
}

TEST(ElectionRule, WritesTheFormatOfGoClients) {
  const Candidate me{"me", 15s, base::WallTime(1'700'000'000'123'456us)};
  EXPECT_EQ(
      json::Value(new_lease({"n", "l"}, me)).dump(),
      R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l","namespace":"n"},)"
      R"("spec":{"holderIdentity":"me","leaseDurationSeconds":15,"acquireTime":"2023-11-14T22:13:20.123456Z",)"
      R"("renewTime":"2023-11-14T22:13:20.123456Z","leaseTransitions":0}})");
  EXPECT_EQ(
      json::Value(take_patch(lease("", 15), me)).dump(),
      R"({"metadata":{"uid":"u","resourceVersion":"7"},"spec":{"holderIdentity":"me","leaseDurationSeconds":15,)"
      R"("acquireTime":"2023-11-14T22:13:20.123456Z","renewTime":"2023-11-14T22:13:20.123456Z","leaseTransitions":4}})");
  EXPECT_EQ(
      json::Value(renew_patch(lease("me", 15), me)).dump(),
      R"({"metadata":{"uid":"u","resourceVersion":"7"},"spec":{"holderIdentity":"me","leaseDurationSeconds":15,)"
      R"("renewTime":"2023-11-14T22:13:20.123456Z"}})");
  EXPECT_EQ(
      json::Value(release_patch(lease("me", 15), me)).dump(),
      R"({"metadata":{"uid":"u","resourceVersion":"7"},"spec":{"holderIdentity":"","leaseDurationSeconds":1,)"
      R"("acquireTime":"2023-11-14T22:13:20.123456Z","renewTime":"2023-11-14T22:13:20.123456Z"}})");
}

TEST(ElectionRule, TransitionsNeverOverflow) {
  const Candidate me{"me", 15s, base::WallTime()};
  for (const std::int32_t bad : {std::numeric_limits<std::int32_t>::max(), -1}) {
    Lease old = lease("", 15);
    old.spec.leaseTransitions = bad;
    const json::Object patch = take_patch(old, me);
    EXPECT_EQ(*patch.find("spec")->find("leaseTransitions")->as_int(), 0) << bad;
  }
}

TEST(ElectionRule, TimesMustBeOrdered) {
  EXPECT_TRUE(check(ElectionTimes{}).ok());
  EXPECT_FALSE(check(ElectionTimes{15s, 15s, 2s}).ok());
  EXPECT_FALSE(check(ElectionTimes{15s, 10s, 9s}).ok());
  EXPECT_FALSE(check(ElectionTimes{15s, 10s, 0s}).ok());
}

}  // namespace
}  // namespace kube::inline election
