// SPDX-License-Identifier: Apache-2.0
#include "bridge/config/config.h"

#include "bridge/config/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;

Config parsed(const std::string& yaml) {
  auto config = parse_config(yaml);
  EXPECT_TRUE(config.ok()) << config.error().message();
  return config.ok() ? *config : Config();
}

TEST(Config, HasTheReferencesKeysWhateverTheirCase) {
  const Config config = parsed(
      "SCHEDULERNAME: s\nslurmRestApi: http://x:1\nmanagedNamespaces: [a, b]\nmcslabel: "
      "k\npartition: p\nmanagednamespaceselector: {matchlabels: {team: a}}\n");
  EXPECT_EQ(config.schedulerName, "s");
  EXPECT_EQ(config.slurmRestApi, "http://x:1");
  EXPECT_THAT(config.managedNamespaces, ElementsAre("a", "b"));
  EXPECT_EQ(config.mcsLabel, "k");
  EXPECT_EQ(config.partition, "p");
  EXPECT_THAT(config.managedNamespaceSelector, Optional(kube::LabelSelector{{{"team", "a"}}, {}}));
  EXPECT_THAT(config.warnings, IsEmpty());
}

TEST(Config, AnEmptyFileGivesTheDefaults) {
  for (const char* yaml : {"", "{}", "nodes:\nschedulerName:\nmanagedNamespaceSelector: null\n"}) {
    const Config config = parsed(yaml);
    EXPECT_THAT(changed_keys(Config(), config), IsEmpty()) << yaml;
    EXPECT_THAT(config.origins, IsEmpty()) << yaml;
  }
  const Config config;
  EXPECT_EQ(config.schedulerName, "slurm-bridge-scheduler");
  EXPECT_TRUE(config.nodes.taint);
  EXPECT_TRUE(config.nodes.cordon);
  EXPECT_FALSE(config.nodes.healNotResponding);
  EXPECT_EQ(config.holdSeconds, 120);
  EXPECT_FALSE(config.managedNamespaceSelector.has_value());
  EXPECT_THAT(config.daemonSetNamespaces, IsEmpty());
}

TEST(Config, NamesTheNamespacesWhoseDaemonSetsNeedNoJob) {
  const Config config = parsed("daemonSetNamespaces: [monitoring, storage]\n");
  EXPECT_THAT(config.daemonSetNamespaces, ElementsAre("monitoring", "storage"));
  EXPECT_THAT(show(config), HasSubstr("daemonSetNamespaces: [monitoring, storage]  # line 1\n"));
}

TEST(Config, KeysOfGroups) {
  const Config config = parsed(
      "nodes: {taint: false, CORDON: false, healNotResponding: true}\n"
      "features:\n  enableLeaderElection: true\n  enableHTTP2: true\n  secureMetrics: true\n"
      "holdSeconds: 5\nlogLevel: debug\n");
  EXPECT_FALSE(config.nodes.taint);
  EXPECT_FALSE(config.nodes.cordon);
  EXPECT_TRUE(config.nodes.healNotResponding);
  EXPECT_TRUE(config.features.enableLeaderElection);
  EXPECT_TRUE(config.features.enableHTTP2);
  EXPECT_TRUE(config.features.secureMetrics);
  EXPECT_EQ(config.holdSeconds, 5);
  EXPECT_EQ(config.logLevel, base::LogLevel::debug);
  EXPECT_EQ(config.origins.at("features.enableHTTP2"), "line 4");
}

TEST(Config, AnEmptySelectorIsNotTheSameAsNone) {
  EXPECT_THAT(parsed("managedNamespaceSelector: {}").managedNamespaceSelector,
              Optional(kube::LabelSelector{}));
  EXPECT_THAT(
      parsed("managedNamespaceSelector:\n"
             "  matchLabels: {tier: gpu}\n"
             "  matchExpressions:\n"
             "  - {key: team, operator: In, values: [a, b]}\n"
             "  - {key: legacy, operator: DoesNotExist}\n")
          .managedNamespaceSelector,
      Optional(kube::LabelSelector{{{"tier", "gpu"}},
                                   {{"team", "In", {"a", "b"}}, {"legacy", "DoesNotExist", {}}}}));
  EXPECT_THAT(parsed("managedNamespaceSelector: tier=gpu").managedNamespaceSelector,
              Optional(kube::LabelSelector{{{"tier", "gpu"}}, {}}));
}

TEST(Config, AnUnknownKeyWarnsWithItsPathAndTheNearestOne) {
  EXPECT_THAT(parsed("partitoin: p\nnodes:\n  tiant: true\nnode: {}\nzzz: 1\n").warnings,
              ElementsAre("line 1: unknown key \"partitoin\"; did you mean partition?",
                          "line 3: unknown key \"nodes.tiant\"; did you mean nodes.taint?",
                          "line 4: unknown key \"node\"; did you mean nodes?",
                          "line 5: unknown key \"zzz\""));
}

TEST(Config, AnErrorNamesKeyPlaceAndFix) {
  struct Row {
    std::string yaml;
    std::string says;
  };
  const Row kRows[] = {
      {"a: 1\nmanagedNamespaces: x",
       "line 2, column 20: managedNamespaces must be a list, such as [a, b]"},
      {"a: [", "line 1"},
      {"- a", "the file must be a map"},
      {"{[a]: b}", "a key that is not a string"},
      {"schedulerName: ''", "schedulerName is empty; write a name"},
      {"schedulerName: a b", "schedulerName is the value of a taint: \"a b\" is not a label value"},
      {"slurmRestApi: slurm:6820", "slurmRestApi must be an address such as http://"},
      {"slurmRestApi: ftp://slurm", "slurmRestApi must be an address"},
      {"managedNamespaces: [a, B]", "\"B\", which is not a valid namespace name"},
      {"managedNamespaces: [a, '']", "managedNamespaces has an empty name"},
      {"daemonSetNamespaces: [A]",
       "daemonSetNamespaces has \"A\", which is not a valid namespace name"},
      {"managedNamespaces: [a, [b]]", "managedNamespaces[1] must be a string"},
      {"partition: a b", "partition is \"a b\": it may not contain white space"},
      {"holdSeconds: 0", "holdSeconds must be a whole number from 1 to 86400"},
      {"holdSeconds: 2m", "line 1, column 14: holdSeconds must be a whole number"},
      {"holdSeconds: [1]", "holdSeconds must be a whole number"},
      {"nodes: {taint: yes}", "line 1, column 16: nodes.taint is \"yes\"; write true or false"},
      {"nodes: [taint]", "nodes must be a map"},
      {"logLevel: loud", "logLevel is wrong"},
      {"partition: a\nPartition: b\n", "Partition is already set at line 1; remove one"},
      {"managedNamespaceSelector: {matchLables: {a: b}}",
       "managedNamespaceSelector.matchLables does not exist; did you mean matchLabels?"},
      {"managedNamespaceSelector: {matchExpressions: [{key: a, op: In}]}",
       "managedNamespaceSelector.matchExpressions[0].op does not exist"},
      {"managedNamespaceSelector: {matchExpressions: [{key: a, operator: Im, values: [b]}]}",
       "matchExpressions[0].operator: \"Im\" is not an operator; did you mean In?"},
      {"managedNamespaceSelector: 'team in a'", "at character 9: expected ("},
      {"managedNamespaceSelector: ''", "write {} for every namespace"},
      {"managedNamespaceSelector: [a]", "managedNamespaceSelector must be a map"},
  };
  for (const Row& row : kRows) {
    const auto config = parse_config(row.yaml);
    ASSERT_FALSE(config.ok()) << row.yaml;
    EXPECT_THAT(config.error().message(), HasSubstr(row.says)) << row.yaml;
  }
}

TEST(Config, WhatOverridesCountsMoreThanTheFileTheLastMost) {
  const ConfigOverride overrides[] = {
      {"slurmRestApi", "http://b", "SLURM_REST_API"},
      {"slurmRestApi", "http://c", "--slurm-rest-api"},
      {"managedNamespaceSelector", "!legacy", "NAMESPACE_SELECTOR"},
  };
  const auto config = parse_config("slurmRestApi: http://a\npartition: p\n", overrides);
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->slurmRestApi, "http://c");
  EXPECT_EQ(config->partition, "p");
  EXPECT_TRUE(config->managedNamespaceSelector.has_value());
  EXPECT_EQ(config->origins.at("slurmRestApi"), "--slurm-rest-api");
  EXPECT_EQ(config->origins.at("partition"), "line 2");

  const ConfigOverride wrong[] = {{"managedNamespaceSelector", "a in b", "NAMESPACE_SELECTOR"}};
  EXPECT_EQ(parse_config("", wrong).error().message(),
            "NAMESPACE_SELECTOR: managedNamespaceSelector at character 6: expected ( instead of "
            "\"b\"");
}

TEST(Config, IsShownAsYamlThatMeansTheSame) {
  const Config config = parsed(
      "slurmRestApi: http://x:1\nmanagedNamespaces: [a, b]\nmcsLabel: '5'\npartition: 'a,b'\n"
      "managedNamespaceSelector: {matchExpressions: [{key: a, operator: In, values: [x, y]}]}\n"
      "nodes: {cordon: false}\n");
  const std::string shown = show(config);
  EXPECT_THAT(changed_keys(config, parsed(shown)), IsEmpty()) << shown;
  EXPECT_THAT(parsed(show(Config())).warnings, IsEmpty());
  EXPECT_THAT(shown, HasSubstr("managedNamespaces: [a, b]  # line 2; no effect with a selector\n"));
  EXPECT_THAT(shown, HasSubstr("nodes:\n  taint: true  # default\n  cordon: false  # line 6\n"));
}

TEST(Config, ReportsTheChangedKeys) {
  EXPECT_THAT(changed_keys(parsed("partition: a\nnodes: {taint: true}"),
                           parsed("partition: b\nnodes: {taint: false}\nmanagedNamespaceSelector: "
                                  "{}")),
              ElementsAre("managedNamespaceSelector", "partition", "nodes.taint"));
}

}  // namespace
}  // namespace bridge::config
