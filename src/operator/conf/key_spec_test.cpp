// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/key_spec.h"

#include "golden.h"
#include "operator/conf/key_build.h"
#include "operator/conf/key_tables.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace slurmop::conf {
namespace {

constexpr std::string_view kWords[] = {"one", "two=#", "three=*"};
constexpr std::string_view kPlugins[] = {"sched/backfill", "sched/builtin"};

std::string outcome(Form form, std::string_view text) {
  KeySpec spec{.name = "Key", .form = form, .least = 1, .most = 10};
  spec.words = form == Form::plugin || form == Form::plugins ? std::span(kPlugins)
               : form == Form::options                       ? std::span(kWords)
                                                             : std::span(kWords).first(1);
  const auto checked = check(spec, text);
  return checked.ok() ? "ok" : checked.error().message();
}

TEST(KeySpec, a_value_must_have_the_form_of_its_key) {
  struct Row {
    Form form;
    std::string_view text;
    std::string_view want;  // "ok" or a part of the message
  };
  constexpr Row kRows[] = {
      {Form::boolean, "YES", "ok"},
      {Form::boolean, "0", "ok"},
      {Form::boolean, "maybe", "is not yes or no"},
      {Form::number, "10", "ok"},
      {Form::number, "0", "is not a whole number from 1 to 10"},
      {Form::number, "11", "from 1 to 10"},
      {Form::number, "010", "from 1 to 10"},  // Slurm reads it as 8
      {Form::number, "-1", "from 1 to 10"},
      {Form::number, "0x5", "from 1 to 10"},
      {Form::number, "5k", "from 1 to 10"},
      {Form::number, "99999999999999999999999", "from 1 to 10"},
      {Form::number, "UNLIMITED", "from 1 to 10"},
      {Form::time, "60", "ok"},
      {Form::time, "1:30:00", "ok"},
      {Form::time, "7-0", "ok"},
      {Form::time, "2-12:00:00", "ok"},
      {Form::time, "INFINITE", "ok"},
      {Form::time, "2h", "is not a time"},
      {Form::time, "1:2:3:4", "is not a time"},
      {Form::time, "-1", "is not a time"},
      {Form::choice, "ONE", "ok"},
      {Form::choice, "ones", "did you mean one?"},
      {Form::choice, "one,one", "more than one value"},
      {Form::choices, "one,xyz", "\"xyz\" is not a value of Key"},
      {Form::counted, "one:4", "ok"},
      {Form::counted, "one:x", "does not end with a count"},
      {Form::options, "one,two=3,three=abc", "ok"},
      {Form::options, "one=1", "takes no value"},
      {Form::options, "two", "needs a value"},
      {Form::options, "two=abc", "is not a whole number"},
      {Form::options, "onee", "is not an option of Key (Slurm would ignore it); did you mean one?"},
      {Form::options, "one,", "is not an option"},
      {Form::plugin, "sched/backfill", "ok"},
      {Form::plugin, "sched/backfil", "did you mean sched/backfill?"},
      {Form::plugin, "sched/backfill,sched/builtin", "more than one plugin"},
      {Form::plugins, "sched/backfill,nosuch", "is not a plugin for Key"},
      {Form::name, "gpu-1_a.b", "ok"},
      {Form::name, "-a", "is not a name"},
      {Form::name, "a,b", "is not a name"},
      {Form::name, "", "is not a name"},
      {Form::names, "a,b", "ok"},
      {Form::names, "a,,b", "is not a name"},
      {Form::host, "controller-0.controller", "ok"},
      {Form::host, "fd00::1", "ok"},
      {Form::host, "a(b)", "is not a host name"},
      {Form::path, "/var/spool/slurmd.%n", "ok"},
      {Form::path, "relative", "is not an absolute path"},
      {Form::path, "/a b", "is not an absolute path"},
      {Form::path, "/a/../b", "is not an absolute path"},
      {Form::path, "/a,b", "is not an absolute path"},
      {Form::nodes, "worker-[0-3,7],gpu-1", "ok"},
      {Form::nodes, "worker-[0-3", "is not a node expression"},
      {Form::nodes, "worker-]", "is not a node expression"},
      {Form::nodes, "a b", "is not a node expression"},
      {Form::text, "anything", "ok"},
  };
  for (const Row& row : kRows) {
    EXPECT_NE(outcome(row.form, row.text).find(row.want), std::string::npos)
        << row.text << " -> " << outcome(row.form, row.text);
  }
}

TEST(KeyTables, names_are_keys_and_occur_once_and_samples_are_accepted) {
  for (const auto keys : {slurm_keys(),
                          partition_keys(),
                          node_keys(),
                          node_set_keys(),
                          cgroup_keys(),
                          slurmdbd_keys(),
                          gres_keys()}) {
    for (const KeySpec& spec : keys) {
      EXPECT_EQ(find_key(keys, spec.name), &spec) << spec.name << " occurs twice";
      EXPECT_TRUE(check(spec, sample_value(spec)).ok()) << spec.name;
    }
  }
}

TEST(KeyTables, an_owned_or_removed_key_says_what_to_do) {
  for (const auto keys :
       {slurm_keys(), partition_keys(), node_keys(), node_set_keys(), cgroup_keys()}) {
    for (const KeySpec& spec : keys) {
      const bool refused = spec.owner == Owner::operator_own || spec.owner == Owner::forbidden;
      EXPECT_EQ(refused, !spec.remedy.empty()) << spec.name;
    }
  }
}

// tests/real/slurm_conf_test.py gives each of these lines to Slurm's own parser.
TEST(KeyTables, samples_for_the_real_parser_are_current) {
  const auto samples = [](std::span<const KeySpec> keys) {
    std::string text;
    for (const KeySpec& spec : keys) {
      if (spec.owner == Owner::forbidden) continue;
      text.append(spec.name).append("=").append(sample_value(spec)).append("\n");
    }
    return text;
  };
  EXPECT_EQ(golden_difference("operator/conf/samples/slurm_keys.txt", samples(slurm_keys())), "");
  EXPECT_EQ(
      golden_difference("operator/conf/samples/partition_keys.txt", samples(partition_keys())), "");
  EXPECT_EQ(golden_difference("operator/conf/samples/node_keys.txt", samples(node_keys())), "");
}

}  // namespace
}  // namespace slurmop::conf
