// SPDX-License-Identifier: Apache-2.0
#include "operator/process/watched_namespaces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::process {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(WatchedNamespaces, AreAllWithoutAListOrWithAStar) {
  EXPECT_THAT(*watched_namespaces(""), IsEmpty());
  EXPECT_THAT(*watched_namespaces(" * "), IsEmpty());
}

TEST(WatchedNamespaces, AreTheNamesOfTheListEachOnce) {
  EXPECT_THAT(*watched_namespaces("soperator"), ElementsAre("soperator"));
  EXPECT_THAT(*watched_namespaces("a, b-2,a"), ElementsAre("a", "b-2"));
}

TEST(WatchedNamespaces, OtherTextIsAnError) {
  for (const char* text : {"a,", ",", "a,*", "A", "a_b", "-a", "a b", "a/b"}) {
    EXPECT_TRUE(watched_namespaces(text).error().is(base::Kind::invalid)) << text;
  }
}

}  // namespace
}  // namespace slurmop::process
