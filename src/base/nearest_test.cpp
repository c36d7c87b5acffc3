// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace base {
namespace {

TEST(Nearest, counts_the_edits_between_two_words) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("partition", "partition"), 0U);
  EXPECT_EQ(edit_distance("partition", "partiton"), 1U);
  EXPECT_EQ(edit_distance("partition", "partitoin"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

constexpr std::string_view kKnown[] = {
    "config", "leader-elect", "metrics-bind-address", "zap-log-level", "zap-devel", "v"};

TEST(Nearest, finds_the_most_similar_word) {
  EXPECT_EQ(nearest("confg", kKnown), "config");
  EXPECT_EQ(nearest("Config", kKnown), "config");
  EXPECT_EQ(nearest("leader-election", kKnown), "leader-elect");
  EXPECT_EQ(nearest("leader_elect", kKnown), "leader-elect");
  EXPECT_EQ(nearest("zap-loglevel", kKnown), "zap-log-level");
  EXPECT_EQ(nearest("metric-bind-adress", kKnown), "metrics-bind-address");
}

TEST(Nearest, suggests_nothing_if_no_word_is_similar) {
  EXPECT_EQ(nearest("kubeconfigpath", kKnown), std::nullopt);
  EXPECT_EQ(nearest("x", kKnown), std::nullopt);
  EXPECT_EQ(nearest("", kKnown), std::nullopt);
  EXPECT_EQ(nearest("config", {}), std::nullopt);
  EXPECT_EQ(nearest(std::string(1'000'000, 'a'), kKnown), std::nullopt);
}

TEST(Nearest, returns_the_first_of_equally_similar_words) {
  const std::string_view known[] = {"part-a", "part-b"};
  EXPECT_EQ(nearest("part-c", known), "part-a");
}

RC_GTEST_PROP(Nearest, a_word_with_one_letter_changed_is_still_found, ()) {
  const auto letters = rc::gen::container<std::string>(rc::gen::inRange('a', 'z'));
  const auto word = *rc::gen::suchThat(
      letters, [](const std::string& w) { return w.size() >= 4 && w.size() <= 100; });
  std::string typed = word;
  typed[*rc::gen::inRange<std::size_t>(0, word.size())] = '_';
  const std::string_view known[] = {"0123456789012345678901234567890123456789", word};
  RC_ASSERT(edit_distance(word, typed) == 1U);
  RC_ASSERT(nearest(typed, known) == word);
}

}  // namespace
}  // namespace base
