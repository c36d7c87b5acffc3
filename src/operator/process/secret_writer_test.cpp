// SPDX-License-Identifier: Apache-2.0
#include "operator/process/secret_writer.h"

#include "base/base64.h"
#include "operator/process/testing_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::process {
namespace {

using Content = parts::SecretOrder::Content;
using ::testing::IsEmpty;

struct SecretWriterTest : ::testing::Test {
  ~SecretWriterTest() override { world.finish(); }
  static parts::SecretOrder order(const std::string& name, Content content, std::string key) {
    return {name, content, std::move(key), 32, {{"name", name}, {"namespace", "default"}}};
  }
  void create(std::vector<parts::SecretOrder> orders) {
    ASSERT_TRUE(world.run(writer.create(orders, outcome)).ok());
  }
  std::string value(const std::string& secret, std::string key) const {
    const auto bytes = base::decode_base64(world.text("secrets", secret, {"data", std::move(key)}));
    return bytes.ok() ? *bytes : "";
  }

  testing::ProcessWorld world;
  SecretWriter writer{world.access};
  PassOutcome outcome;
};

TEST_F(SecretWriterTest, EachContentIsRandomAndHasItsForm) {
  create({order("key", Content::random_bytes, "slurm.key"),
          order("password", Content::random_password, "password"),
          order("ssh", Content::ssh_host_keys, "")});
  EXPECT_THAT(outcome.failures, IsEmpty());
  EXPECT_EQ(value("key", "slurm.key").size(), 32U);
  EXPECT_EQ(value("password", "password").size(), 32U);
  EXPECT_TRUE(value("ssh", "ssh_host_ed25519_key").contains("OPENSSH PRIVATE KEY"));
  EXPECT_TRUE(value("ssh", "ssh_host_ed25519_key.pub").starts_with("ssh-ed25519 "));
}

TEST_F(SecretWriterTest, AnExistingSecretIsKept) {
  create({order("key", Content::random_bytes, "slurm.key")});
  const std::string first = value("key", "slurm.key");
  create({order("key", Content::random_bytes, "slurm.key")});
  EXPECT_EQ(value("key", "slurm.key"), first);
  EXPECT_THAT(outcome.failures, IsEmpty());
}

TEST_F(SecretWriterTest, ARejectedSecretDoesNotKeepTheOthersFromBeingCreated) {
  create({order("Bad_Name", Content::random_bytes, "k"), order("b", Content::random_bytes, "k")});
  EXPECT_EQ(outcome.failures.size(), 1U);
  EXPECT_TRUE(world.exists("secrets", "b"));
}

TEST(SecretContent, TwoSecretsDiffer) {
  const parts::SecretOrder order{"k", Content::random_bytes, "k", 32, {}};
  EXPECT_NE(secret_content(order)->at("k"), secret_content(order)->at("k"));
}

}  // namespace
}  // namespace slurmop::process
