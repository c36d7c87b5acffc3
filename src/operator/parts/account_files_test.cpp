// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/account_files.h"

#include "operator/objects/testing_shape.h"
#include "operator/parts/testing_cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::parts {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

settle::Cluster with_users(std::vector<settle::User> users,
                           std::vector<std::string> root_keys = {}) {
  settle::Cluster cluster = small_cluster();
  cluster.users = std::move(users);
  cluster.uids = {{"alice", 1001}, {"gone", 1002}, {"soperator", 1000}};
  cluster.resource.spec.slurmNodes.login.sshRootPublicKeys = std::move(root_keys);
  return cluster;
}

TEST(AccountFiles, have_one_line_per_user_and_all_uids_that_were_assigned) {
  const auto files = account_files(with_users({{"soperator", 1000}, {"alice", 1001}}));
  ASSERT_TRUE(files.ok());
  EXPECT_EQ(files->at("passwd"),
            "soperator:*:1000:1000:soperator:/home/soperator:/bin/bash\n"
            "alice:*:1001:1001:alice:/home/alice:/bin/bash\n");
  EXPECT_EQ(files->at("group"), "soperator:*:1000:\nalice:*:1001:\n");
  EXPECT_EQ(
      settle::read_uids(files->at("uids")),
      (std::map<std::string, std::uint32_t>{{"alice", 1001}, {"gone", 1002}, {"soperator", 1000}}));
}

TEST(AccountFiles, no_name_adds_a_field_or_a_line) {
  for (const std::string& hostile : objects::hostile_texts()) {
    if (hostile == "null" || hostile == "true") continue;  // names like any other
    const auto files = account_files(with_users({{hostile, 1001}}));
    ASSERT_FALSE(files.ok()) << hostile;
    EXPECT_THAT(files.error().message(), HasSubstr("is not a user name; use lower-case letters"));
  }
  EXPECT_FALSE(account_files(with_users({{"", 1001}})).ok());
}

TEST(SshKeyFiles, have_the_keys_of_users_who_have_some) {
  const auto files = ssh_key_files(
      with_users({{"soperator", 1000}, {"alice", 1001, {"ssh-a 1", "ssh-a 2"}}, {"bob", 1002}}));
  ASSERT_TRUE(files.ok());
  EXPECT_THAT(*files, ElementsAre(Pair("alice", "ssh-a 1\nssh-a 2\n")));
}

TEST(SshKeyFiles, the_keys_of_root_are_also_those_of_soperator) {
  const auto files = ssh_key_files(
      with_users({{"soperator", 1000, {"own", "both"}}, {"alice", 1001}}, {"both", "admin"}));
  ASSERT_TRUE(files.ok());
  EXPECT_THAT(*files,
              ElementsAre(Pair("root", "both\nadmin\n"), Pair("soperator", "own\nboth\nadmin\n")));
}

TEST(SshKeyFiles, a_key_is_one_line) {
  const auto of_user = ssh_key_files(with_users({{"alice", 1001, {"a\nssh-rsa b"}}}));
  ASSERT_FALSE(of_user.ok());
  EXPECT_THAT(of_user.error().message(), HasSubstr("spec.users: \"a\\nssh-rsa b\" is more than"));
  EXPECT_FALSE(ssh_key_files(with_users({}, {"a\r"})).ok());
  EXPECT_FALSE(ssh_key_files(with_users({{"../root", 1001, {"a"}}})).ok());
}

}  // namespace
}  // namespace slurmop::parts
