// SPDX-License-Identifier: Apache-2.0
#include "operator/api/checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace slurmop::api {
namespace {

using namespace std::string_view_literals;

struct Row {
  Check check;
  std::string_view value;
  std::string_view wrong;  // a part of the message; empty: allowed
};

constexpr std::string_view kOwned = "is set by the operator";

const Row kRows[] = {
    {Check::conf_value, "", ""},
    {Check::conf_value, "/opt/prolog.sh", ""},
    {Check::conf_value, "CPU=1000,Mem=0.5", ""},
    {Check::conf_value, "a b", "one word"},
    {Check::conf_value, "a\nSlurmUser=root", "one word"},
    {Check::conf_value, "a\rb", "one word"},
    {Check::conf_value, "a\0b"sv, "one word"},
    {Check::conf_value, "a#b", "one word"},
    {Check::conf_value, "a\\", "one word"},
    {Check::conf_value, "\"a", "one word"},
    {Check::conf_value, "a\tSlurmUser=root", "one word"},
    {Check::conf_value, "caf\xc3\xa9", "one word"},
    {Check::conf_value,
     "a\xe2\x80\xa8"
     "b",
     "one word"},

    {Check::conf_name, "gpu-h100", ""},
    {Check::conf_name, "", "use only letters"},
    {Check::conf_name, "-a", "use only letters"},
    {Check::conf_name, "a,b", "use only letters"},
    {Check::conf_name, "a=b", "use only letters"},

    {Check::partition_name, "batch", ""},
    {Check::partition_name, "DEFAULT", "choose another name"},
    {Check::partition_name, "Default", "choose another name"},
    {Check::partition_name, "a b", "use only letters"},
    {Check::partition_name, "a,b", "use only letters"},

    {Check::partition_options, "", ""},
    {Check::partition_options, "Default=YES MaxTime=INFINITE", ""},
    {Check::partition_options, "Default=YES default=NO", "default is set twice"},
    {Check::partition_options, "Nodes=ALL", "Nodes is set by the operator"},
    {Check::partition_options, "MaxTime=1 partitionname=x", "is set by the operator"},
    {Check::partition_options, "MaxTime", "is not Key=Value"},
    {Check::partition_options, "MaxTime=1\nPartitionName=x", "one line"},
    {Check::partition_options, "Nodes =ALL", "is set by the operator"},
    {Check::partition_options, "MaxTim=1", "did you mean MaxTime?"},
    {Check::partition_options, "State=UPP", "did you mean UP?"},

    {Check::node_options, "CoresPerSocket=8 ThreadsPerCore=2", ""},
    {Check::node_options, "State=DOWN", "is set by the operator"},
    {Check::node_options, "features=a", "is set by the operator"},
    {Check::node_options, "CPUs=1 NodeAddr=evil", "is set by the operator"},
    {Check::node_options, "CPUs=1 cpus=2", "cpus is set twice"},
    {Check::node_options, "CPUs", "is not Key=Value"},
    {Check::node_options, "Gres=gpu:h100:8 NodeCPUs=128", ""},
    {Check::node_options, "Memory=5", "unknown key"},

    {Check::partition_line, "PartitionName=a Nodes=ALL", ""},
    {Check::partition_line, "NodeName=a", "begins with PartitionName="},
    {Check::partition_line, "PartitionName=a PartitionName=b", "unknown key"},
    {Check::partition_line, "PartitionName=a\nSlurmUser=root", "one line"},
    {Check::partition_line, "PartitionName=a Nodes=any-node-set Default=YES", ""},
    {Check::partition_line, "PartitionName=a Nodes=ALL MaxTime=soon", "is not a time"},

    {Check::slurm_lines, "", ""},
    {Check::slurm_lines, "# comment\n\nMaxArraySize=100\n", ""},
    {Check::slurm_lines, "SlurmctldDebug = debug2", ""},
    {Check::slurm_lines, "InteractiveStepOptions=\"--pty x\"  # quoted", ""},
    {Check::slurm_lines, "Prolog=/a\nProlog=/b", ""},
    {Check::slurm_lines, "NodeName=a CPUs=4 State=CLOUD", "nodes register themselves"},
    {Check::slurm_lines, "NodeSet=a Feature=a\nPartitionName=p Nodes=a,gpu Default=YES", ""},
    {Check::slurm_lines, "MaxArraySize=1\nSlurmUser=root", "line 2: SlurmUser is set"},
    {Check::slurm_lines, "A=1\nSlurmUser=root", "line 1: unknown key \"A\"; line 2: SlurmUser"},
    {Check::slurm_lines, "slurmuser=root", kOwned},
    {Check::slurm_lines, "SlurmUser += root", "+="},
    {Check::slurm_lines, "MaxArraySize=1 SlurmUser=root", "write one key per line"},
    {Check::slurm_lines, "MaxArraySize=1\nmaxarraysize=2", "already set on line 1"},
    {Check::slurm_lines, "Include /etc/shadow", "Include would read another file"},
    {Check::slurm_lines, "include\t/etc/shadow", "Include would read another file"},
    {Check::slurm_lines, "MaxArraySize=1,\\\nSlurmUser=root", "it has a backslash"},
    {Check::slurm_lines, "MaxArraySize", "is not Key=Value"},
    {Check::slurm_lines, "MailProg=\"/usr/bin/mail", "no closing double quote"},
    {Check::slurm_lines, "MaxArraySize=1\rSlurmUser=root", "control characters"},
    {Check::slurm_lines, "MaxArraySize=1\r\n", "control characters"},
    {Check::slurm_lines, "A=1\0B=2"sv, "control characters"},
    {Check::cgroup_lines, "ConstrainCores=no", ""},
    {Check::cgroup_lines, "ConstrainCores=no\nConstrainCores=yes", "already set"},

    {Check::node_set_name, "gpu-1", ""},
    {Check::node_set_name, "ALL", "NodeSet's name"},
    {Check::node_set_name, "a[0-9]", "NodeSet's name"},
    {Check::node_set_name, "", "NodeSet's name"},

    {Check::path, "/mnt/data", ""},
    {Check::path, "mnt", "absolute path"},
    {Check::path, "/a:/b", "absolute path"},
    {Check::path, "/a\n", "absolute path"},

    {Check::public_key, "ssh-ed25519 AAAAC3Nz a@b", ""},
    {Check::public_key, "restrict,command=\"/bin/x\" ssh-rsa AAAAB3Nz", ""},
    {Check::public_key, "ssh-ed25519 AAAAC3Nz\nssh-rsa AAAA", "line breaks"},
    {Check::public_key, "-----BEGIN OPENSSH PRIVATE KEY-----", "not an OpenSSH public key"},
    {Check::public_key, "", "not an OpenSSH public key"},
};

TEST(Checks, EachValueIsAllowedOrHasItsMessage) {
  for (const Row& row : kRows) {
    const auto wrong = problem_of(row.check, row.value);
    SCOPED_TRACE(testing::PrintToString(row.value));
    if (row.wrong.empty()) {
      EXPECT_EQ(wrong, std::nullopt);
    } else {
      ASSERT_TRUE(wrong);
      EXPECT_THAT(*wrong, testing::HasSubstr(std::string(row.wrong)));
    }
  }
}

RC_GTEST_PROP(Checks, NoAllowedValueEndsItsLineOrStartsAnotherKey, (const std::string& value)) {
  if (problem_of(Check::conf_value, value)) return;
  RC_ASSERT(value.find_first_of(" \t\r\n\v\f#\"\\") == std::string::npos);
  RC_ASSERT(value.find('\0') == std::string::npos);
}

// Whatever the bytes are, there is an answer.
RC_GTEST_PROP(Checks, AnyTextHasAnAnswer, (const std::string& value)) {
  for (const Check check : {Check::slurm_lines, Check::partition_options, Check::public_key}) {
    const auto wrong = problem_of(check, value);
    if (wrong) RC_ASSERT(wrong->find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace slurmop::api
