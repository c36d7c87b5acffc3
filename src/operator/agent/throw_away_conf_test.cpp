// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/throw_away_conf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::agent {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct ThrowAwayConf : ::testing::Test {
  static std::string made(const std::string& conf) {
    const Configuration configuration{"abc", {{"slurm.conf", conf}, {"plugstack.conf", ""}}};
    return throw_away_conf(configuration,
                           {.host = "pod-0",
                            .port = 4711,
                            .folder = "/tmp/x/daemon",
                            .state = "/tmp/x/state",
                            .pid_file = "/tmp/x/run/pid",
                            .active_folder = "/etc/slurm"});
  }
};

TEST_F(ThrowAwayConf, KeepsEverythingElseWithItsLineNumber) {
  EXPECT_EQ(made("ClusterName=a\n"
                 "SlurmctldHost=controller-0(a-controller-svc.ns.svc)\n"
                 "SlurmctldHost=controller-1\n"
                 "# a comment\n"
                 "SlurmctldPort=6817\n"
                 "StateSaveLocation=/var/spool/slurmctld\n"
                 "AuthAltParameters=jwt_key=/etc/slurm-keys/jwt.key\n"),
            "ClusterName=a\n"
            "\n"
            "\n"
            "# a comment\n"
            "\n"
            "\n"
            "AuthAltParameters=jwt_key=/etc/slurm-keys/jwt.key\n"
            "\n"
            "SlurmctldHost=pod-0(127.0.0.1)\n"
            "SlurmctldPort=4711\n"
            "SlurmctldPidFile=/tmp/x/run/pid\n"
            "StateSaveLocation=/tmp/x/state\n");
}

TEST_F(ThrowAwayConf, SharesNothingWithTheRealSlurmctld) {
  const std::string conf = made(
      "AccountingStorageType=accounting_storage/slurmdbd\n"
      "accountingstoragehost=acct\n"
      "AccountingStorageTRES=gres/gpu\n"
      "JobCompType=jobcomp/filetxt\n"
      "JobCompLoc=/var/log/jobs\n"
      "SlurmctldLogFile=/var/log/slurmctld.log\n"
      "SlurmSchedLogFile=/var/log/sched.log\n"
      "SlurmctldPidFile=/run/slurmctld/slurmctld.pid\n"
      "SlurmctldPrimaryOnProg=/opt/on\n"
      "SlurmctldPrimaryOffProg=/opt/off\n");
  for (const char* word :
       {"acct", "gres/gpu", "jobcomp", "/var/log", "/run/slurmctld/", "/opt/on", "/opt/off"}) {
    EXPECT_THAT(conf, Not(HasSubstr(word)));
  }
}

TEST_F(ThrowAwayConf, DropsAContinuedLineAsAWhole) {
  const std::string conf = made("AccountingStorageTRES=a,\\\nb,\\\nc\nMaxJobCount=5\n");
  EXPECT_EQ(conf.find("\n\n\nMaxJobCount=5\n"), 0U) << conf;
}

TEST_F(ThrowAwayConf, KeepsCommunicationParametersButHttp) {
  EXPECT_THAT(made("CommunicationParameters=EnableIPv6,disable_http,NoAddrCache\n"),
              HasSubstr("\nCommunicationParameters=EnableIPv6,NoAddrCache\n"));
}

TEST_F(ThrowAwayConf, UsesItsOwnCopyOfTheOtherFiles) {
  const std::string conf = made(
      "PlugStackConfig=/etc/slurm/plugstack.conf\n"
      "Prolog=/etc/slurm/plugstack.conf.sh\n"
      "Epilog=/etc/slurm/epilog.sh");
  EXPECT_THAT(conf, HasSubstr("PlugStackConfig=/tmp/x/daemon/plugstack.conf\n"));
  EXPECT_THAT(conf, HasSubstr("Prolog=/etc/slurm/plugstack.conf.sh\n"));
  EXPECT_THAT(conf, HasSubstr("Epilog=/etc/slurm/epilog.sh\n"));
}

TEST_F(ThrowAwayConf, OmitsWhatOnlySlurmdbdKnows) {
  const std::string lines =
      "PriorityWeightTRES=GRES/gpu=2\n"
      "PartitionName=a Nodes=w QOS=part State=UP AllowQOS=\"x y\" TRESBillingWeights=GRES/gpu=1\n";
  EXPECT_THAT(made("AccountingStorageType=accounting_storage/slurmdbd\n" + lines),
              HasSubstr("\n\nPartitionName=a Nodes=w State=UP\n"));
  EXPECT_THAT(made("AccountingStorageType=accounting_storage/none\n" + lines), HasSubstr(lines))
      << "without accounting they are errors";
}

TEST_F(ThrowAwayConf, DoesNotReplaceTheAuthenticationSocket) {
  EXPECT_THAT(made("AuthType=auth/slurm\n"), HasSubstr("\nAuthInfo=disable_sack\n"));
  EXPECT_THAT(made("AuthType=auth/slurm\nAuthInfo=cred_expire=90\n"),
              HasSubstr("\nAuthInfo=cred_expire=90,disable_sack\n"));
  EXPECT_THAT(made("AuthType=auth/munge\nAuthInfo=socket=/run/munge/munge.socket.2\n"),
              HasSubstr("\nAuthInfo=socket=/run/munge/munge.socket.2\n"));
}

}  // namespace
}  // namespace slurmop::agent
