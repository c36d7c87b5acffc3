// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/hostlist.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace slurm::inline api {
namespace {

using Names = std::vector<std::string>;

Names expanded(std::string_view list) {
  base::Result<Names> names = expand_hostlist(list);
  EXPECT_TRUE(names.ok()) << list;
  return names.ok() ? *std::move(names) : Names();
}

std::string compressed(const Names& names) {
  return compress_hostlist(names).value();
}

TEST(Hostlist, expands_ranges_in_their_order) {
  struct Row {
    std::string_view list;
    Names want;
  };
  const Row rows[] = {
      {"", {}},
      {" ,\t\n", {}},
      {"k001", {"k001"}},
      {"a,b", {"a", "b"}},
      {"b a,,b", {"b", "a", "b"}},
      {"k[001-003,7]", {"k001", "k002", "k003", "k7"}},
      {"k[7]", {"k7"}},
      {"k[001-002],gpu-[01-02]", {"k001", "k002", "gpu-01", "gpu-02"}},
      {"n[8-11]", {"n8", "n9", "n10", "n11"}},
      {"n[08-10]", {"n08", "n09", "n10"}},
      {"n[099-101]", {"n099", "n100", "n101"}},
      {"n[98-101]", {"n98", "n99", "n100", "n101"}},
      {"n[000]", {"n000"}},
      {"r[1-2]n[1-2]", {"r1n1", "r1n2", "r2n1", "r2n2"}},
      {"r[1-2]n[3,5]-ib", {"r1n3-ib", "r1n5-ib", "r2n3-ib", "r2n5-ib"}},
      {"a[1-2][3-4]", {"a13", "a14", "a23", "a24"}},
      {"[0-2,6]", {"0", "1", "2", "6"}},  // GRES indices
      {"node-1.example.com", {"node-1.example.com"}},
      {"n[999999999999999998-999999999999999999]", {"n999999999999999998", "n999999999999999999"}},
  };
  for (const Row& row : rows) EXPECT_EQ(expanded(row.list), row.want) << row.list;
}

TEST(Hostlist, a_list_that_cannot_be_read_is_an_error_and_not_an_empty_list) {
  for (const char* list : {"k[",       "k]",        "k[]",
                           "k[1",      "k[1-",      "k[1-]",
                           "k[-1]",    "k[1,]",     "k[,1]",
                           "k[1,,2]",  "k[a]",      "k[1-b]",
                           "k[1 -2]",  "k[1, 2]",   "k[1-2-3]",
                           "k[[1]]",   "k[1]]",     "k[2-1]",
                           "k[1-010]", "k[001-02]", "k[1234567890123456789]",
                           "k\x01",    "k\xC3\xA9", "a[1][1][1][1][1][1][1][1][1]"}) {
    const base::Result<Names> names = expand_hostlist(list);
    ASSERT_FALSE(names.ok()) << list;
    EXPECT_TRUE(names.error().is(base::Kind::invalid)) << list;
  }
  EXPECT_EQ(expand_hostlist("a,k[3-1]").error().message(),
            "hostlist \"a,k[3-1]\": range that ends before it begins at byte 7; write it like "
            "\"k[001-004,7],gpu1\"");
}

TEST(Hostlist, never_makes_more_names_than_allowed) {
  EXPECT_EQ(expand_hostlist("k[1-5]", 5)->size(), 5U);
  EXPECT_EQ(expand_hostlist("k[1-6]", 5).error().message(),
            "hostlist \"k[1-6]\" has more than 5 names");
  EXPECT_FALSE(expand_hostlist("a,b,c", 2).ok());
  EXPECT_FALSE(expand_hostlist("a", 0).ok());
  EXPECT_TRUE(expand_hostlist("", 0).ok());
  EXPECT_FALSE(expand_hostlist("k[1-3],k[1-3]", 5).ok());
  EXPECT_FALSE(expand_hostlist("r[1-3]n[1-2]", 5).ok());
  EXPECT_FALSE(expand_hostlist("k[0-999999999999999999]").ok());
  EXPECT_FALSE(expand_hostlist("k[0-999999999999999999]", SIZE_MAX).ok());
  EXPECT_FALSE(
      expand_hostlist("k[1-60000][1-60000][1-60000][1-60000][1-60000][1-60000][1-60000]").ok());
}

TEST(Hostlist, refuses_names_longer_than_any_host_has) {
  EXPECT_TRUE(expand_hostlist(std::string(255, 'a')).ok());
  EXPECT_FALSE(expand_hostlist(std::string(256, 'a')).ok());
  EXPECT_TRUE(expand_hostlist(std::string(253, 'a') + "[9-10]").ok());
  EXPECT_FALSE(expand_hostlist(std::string(254, 'a') + "[9-10]").ok());
  EXPECT_FALSE(expand_hostlist(std::string(1'000'000, 'a') + "[1-60000]").ok());
}

TEST(Hostlist, compresses_into_ordered_ranges) {
  struct Row {
    Names names;
    std::string_view want;
  };
  const Row rows[] = {
      {{}, ""},
      {{"k001"}, "k001"},
      {{"login"}, "login"},
      {{"k2", "k1"}, "k[1-2]"},
      {{"k1", "k3"}, "k[1,3]"},
      {{"k3", "k1", "k2", "k7", "k1"}, "k[1-3,7]"},
      {{"k10", "k9", "k8", "k11"}, "k[8-11]"},
      {{"k08", "k09", "k10"}, "k[08-10]"},
      {{"k099", "k100"}, "k[099-100]"},
      {{"k1", "k01", "k001"}, "k[1,01,001]"},
      {{"k1", "k01", "k2", "k02"}, "k[1-2,01-02]"},
      {{"k9", "k010"}, "k[9,010]"},
      {{"k00", "k0"}, "k[0,00]"},
      {{"gpu-01", "k001", "gpu", "gpu-02"}, "gpu,gpu-[01-02],k001"},
      {{"r1n1", "r1n2", "r2n1"}, "r1n[1-2],r2n1"},
      {{"0", "1", "3"}, "[0-1,3]"},
      {{"5"}, "5"},
      {{"n999999999999999999", "n1000000000000000000"}, "n999999999999999999,n1000000000000000000"},
  };
  for (const Row& row : rows) EXPECT_EQ(compressed(row.names), row.want);
}

TEST(Hostlist, refuses_to_compress_what_would_read_as_something_else) {
  for (const char* name : {"", "a,b", "k[1-2]", "a b", "a\nb", "\xC3\xA9"}) {
    EXPECT_FALSE(compress_hostlist(Names{"ok", name}).ok()) << name;
  }
  EXPECT_EQ(
      compress_hostlist(Names{"a,b"}).error().message(),
      "\"a,b\" is not valid in a hostlist; a node name has 1 to 255 printable characters without "
      "spaces, commas and brackets");
}

rc::Gen<Names> any_names() {
  const auto name =
      rc::gen::map(rc::gen::tuple(rc::gen::element<std::string>("", "k", "gpu-", "r1n", "a.b-"),
                                  rc::gen::element<std::string>("", "0", "00"),
                                  rc::gen::inRange(0, 120),
                                  rc::gen::element<std::string>("", "", "", "-ib")),
                   [](const auto& parts) {
                     const auto& [prefix, zeros, number, suffix] = parts;
                     return prefix + zeros + std::to_string(number) + suffix;
                   });
  return rc::gen::container<Names>(name);
}

RC_GTEST_PROP(Hostlist, compressing_and_expanding_gives_every_name_once, ()) {
  const Names names = *any_names();
  const Names back = expanded(compressed(names));
  RC_ASSERT(std::set(back.begin(), back.end()) == std::set(names.begin(), names.end()));
  RC_ASSERT(std::set(back.begin(), back.end()).size() == back.size());
}

RC_GTEST_PROP(Hostlist, order_and_repetition_do_not_change_the_compressed_list, ()) {
  const Names names = *any_names();
  const std::string list = compressed(names);
  RC_ASSERT(compressed(expanded(list)) == list);
  Names twice(names.rbegin(), names.rend());
  twice.insert(twice.end(), names.begin(), names.end());
  RC_ASSERT(compressed(twice) == list);
}

RC_GTEST_PROP(Hostlist, any_bytes_are_expanded_or_refused_within_the_limit, ()) {
  const auto list =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("k0192[[]],-- \xFF")));
  const base::Result<Names> names = expand_hostlist(list, 50);
  if (names.ok()) RC_ASSERT(names->size() <= 50U);
}

}  // namespace
}  // namespace slurm::inline api
