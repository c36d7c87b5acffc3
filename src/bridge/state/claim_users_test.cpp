// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/claim_users.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::state {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

const ClaimUsers::User kFirst{{"a", "first"}, kube::Uid("u-1")};
const ClaimUsers::User kSecond{{"a", "second"}, kube::Uid("u-2")};
const ClaimUsers::User kElsewhere{{"b", "first"}, kube::Uid("u-3")};

TEST(ClaimUsers, AreThePodsOfTheClaimsNamespaceUntilTheyAreRemoved) {
  ClaimUsers users;
  users.add(kFirst, {"data", "logs"});
  users.add(kSecond, {"data"});
  users.add(kElsewhere, {"data"});
  EXPECT_THAT(users.of({"a", "data"}),
              ElementsAre(Pair(kFirst.uid, kFirst.pod), Pair(kSecond.uid, kSecond.pod)));
  EXPECT_THAT(users.of({"a", "logs"}), ElementsAre(Pair(kFirst.uid, kFirst.pod)));
  users.remove(kFirst, {"data", "logs"});
  EXPECT_THAT(users.of({"a", "data"}), ElementsAre(Pair(kSecond.uid, kSecond.pod)));
  EXPECT_THAT(users.of({"a", "logs"}), IsEmpty());
  EXPECT_THAT(users.of({"b", "data"}), ElementsAre(Pair(kElsewhere.uid, kElsewhere.pod)));
}

TEST(ClaimUsers, RemovingAPodKeepsANewPodOfTheSameName) {
  ClaimUsers users;
  const ClaimUsers::User namesake{kFirst.pod, kube::Uid("u-9")};
  users.add(namesake, {"data"});
  users.remove(kFirst, {"data"});
  EXPECT_THAT(users.of({"a", "data"}), ElementsAre(Pair(namesake.uid, namesake.pod)));
}

}  // namespace
}  // namespace bridge::state
