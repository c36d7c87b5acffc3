// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/edited_conf.h"

#include <gtest/gtest.h>

namespace slurmop::agent {
namespace {

TEST(EditedConf, FindsTheKeyOfALine) {
  struct Row {
    std::string_view line;
    std::string_view key;
  };
  const Row rows[] = {
      {"ClusterName=a", "clustername"},
      {"  SlurmctldPort = 6817", "slurmctldport"},
      {"slurmUser\t=slurm", "slurmuser"},
      {"Prolog+=/a", "prolog"},
      {"PartitionName=a Nodes=b", "partitionname"},
      {"# ClusterName=a", ""},
      {"", ""},
      {"   ", ""},
      {"}", "}"},
  };
  for (const Row& row : rows) EXPECT_EQ(key_of(row.line), row.key) << row.line;
}

TEST(EditedConf, FindsTheValueThatSlurmUses) {
  const std::string_view conf =
      "ClusterName=a # comment\n"
      "MessageTimeout=10\n"
      "messagetimeout = 20\n"
      "#SlurmUser=x\n"
      "InteractiveStepOptions=\"--pty $SHELL\"\n"
      "SlurmctldPort=6820-6822\r\n";
  EXPECT_EQ(value_of(conf, "ClusterName"), "a");
  EXPECT_EQ(value_of(conf, "MessageTimeout"), "20");
  EXPECT_EQ(value_of(conf, "InteractiveStepOptions"), "--pty $SHELL");
  EXPECT_EQ(value_of(conf, "NoSuch"), "");
  EXPECT_EQ(slurmctld_port(conf), 6820);
  EXPECT_EQ(slurm_user(conf), "root");
  EXPECT_EQ(slurmctld_port("SlurmUser=slurm\n"), 6817);
  EXPECT_EQ(slurmctld_port("SlurmctldPort=x\n"), 6817);
  EXPECT_EQ(slurm_user("SlurmUser=slurm\n"), "slurm");
  EXPECT_EQ(jwt_key_file("AuthAltParameters=a=b,jwt_key=/k/jwt.key\n"), "/k/jwt.key");
  EXPECT_EQ(jwt_key_file("AuthAltParameters=jwks=/k/jwks.json\n"), "");
  EXPECT_EQ(jwt_key_file(""), "");
}

TEST(EditedConf, FindsTheOnlyLineOfAKey) {
  const std::string_view conf = "A=1\n\nB=1\nC=1\nb=2\n";
  EXPECT_EQ(line_of(conf, "A"), 1U);
  EXPECT_EQ(line_of(conf, "c"), 4U);
  EXPECT_EQ(line_of(conf, "B"), 0U) << "there are two";
  EXPECT_EQ(line_of(conf, "D"), 0U);
  EXPECT_EQ(line_of(conf, ""), 0U) << "not the empty line";
}

TEST(LocalClientConf, ReachesSlurmctldByTheLoopbackAddress) {
  EXPECT_EQ(local_client_conf("ClusterName=a\n"
                              "SlurmctldHost=controller-0(svc)\n"
                              "SlurmctldAddr=svc\n"
                              "SlurmctldPort=6817\n",
                              "controller-0"),
            "ClusterName=a\n\n\nSlurmctldPort=6817\n\nSlurmctldHost=controller-0(127.0.0.1)\n");
}

}  // namespace
}  // namespace slurmop::agent
