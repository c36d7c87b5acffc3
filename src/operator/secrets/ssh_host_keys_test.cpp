// SPDX-License-Identifier: Apache-2.0
#include "operator/secrets/ssh_host_keys.h"

#include "base/base64.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace slurmop::secrets {
namespace {

using base::Kind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Row {
  SshKeyType type;
  std::string_view file;
  std::string_view public_start;
  std::string_view fingerprint;  // in the output of ssh-keygen -l
  std::string_view bits;
};
constexpr auto kRows = std::to_array<Row>({
    {SshKeyType::ed25519,
     "ssh_host_ed25519_key",
     "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI",
     "(ED25519)",
     "256 "},
    {SshKeyType::ecdsa_p521,
     "ssh_host_ecdsa_key",
     "ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFB",
     "(ECDSA)",
     "521 "},
    {SshKeyType::rsa_3072,
     "ssh_host_rsa_key",
     "ssh-rsa AAAAB3NzaC1yc2EAAAADAQAB",
     "(RSA)",
     "3072 "},
});

// A folder that is removed with the test.
struct Folder {
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sb-ssh-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }

  std::string write(const std::string& name, std::string_view text) const {
    const std::filesystem::path file = path / name;
    std::ofstream(file) << text;
    std::filesystem::permissions(file, std::filesystem::perms(0600));
    return file.string();
  }

  std::filesystem::path path;
};

struct Outcome {
  int code = -1;
  std::string output;
};

Outcome run(const std::string& command) {
  Outcome outcome;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    outcome.output.append(buffer.data(), got);
  }
  outcome.code = WEXITSTATUS(::pclose(pipe));
  return outcome;
}

bool has_ssh_keygen() {
  return run("command -v ssh-keygen").code == 0;
}

std::string decoded_body(std::string_view pem) {
  std::string body(pem.substr(pem.find('\n') + 1));
  body.resize(body.find("-----END"));
  std::erase(body, '\n');
  return base::decode_base64(body).value();
}

TEST(SshHostKeys, HaveTheNamesThatSshdReads) {
  const auto keys = make_ssh_host_keys("host");
  ASSERT_TRUE(keys.ok()) << keys.error().message();
  std::vector<std::string> names;
  for (const SshKeyPair& key : *keys) names.push_back(key.name);
  EXPECT_THAT(names, ElementsAre("ssh_host_ed25519_key", "ssh_host_ecdsa_key", "ssh_host_rsa_key"));
}

TEST(SshHostKeys, HaveTheFormOfOpenSsh) {
  for (const Row& row : kRows) {
    const auto key = make_ssh_key(row.type, "a comment");
    ASSERT_TRUE(key.ok()) << key.error().message();
    EXPECT_EQ(key->name, row.file);
    EXPECT_THAT(key->public_key, StartsWith(std::string(row.public_start)));
    EXPECT_THAT(key->public_key, ::testing::EndsWith(" a comment\n"));
    EXPECT_THAT(std::string(key->private_key.reveal()),
                StartsWith("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA"));
    const std::string body = decoded_body(key->private_key.reveal());
    EXPECT_THAT(body, HasSubstr("a comment"));
  }
}

TEST(SshHostKeys, TwoKeysDiffer) {
  const auto first = make_ssh_key(SshKeyType::ed25519, "");
  const auto second = make_ssh_key(SshKeyType::ed25519, "");
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_NE(first->public_key, second->public_key);
  EXPECT_FALSE(first->private_key == second->private_key);
  EXPECT_EQ(std::ranges::count(first->public_key, ' '), 1) << "no comment, no trailing blank";
}

TEST(SshHostKeys, ACommentCannotAddALine) {
  const auto key = make_ssh_key(SshKeyType::ed25519, "a\nssh-rsa AAAA");
  ASSERT_FALSE(key.ok());
  EXPECT_TRUE(key.error().is(Kind::invalid));
}

TEST(SshHostKeys, SshKeygenReadsEveryKey) {
  if (!has_ssh_keygen()) GTEST_SKIP() << "no ssh-keygen on this machine: install openssh-client";
  const Folder folder;
  for (const Row& row : kRows) {
    const auto key = make_ssh_key(row.type, "host of a test");
    ASSERT_TRUE(key.ok()) << key.error().message();
    const std::string file = folder.write(key->name, key->private_key.reveal());
    const Outcome derived = run("ssh-keygen -y -f " + file);
    ASSERT_EQ(derived.code, 0) << derived.output;
    EXPECT_EQ(derived.output, key->public_key);
    const Outcome shown = run("ssh-keygen -l -f " + file);
    ASSERT_EQ(shown.code, 0) << shown.output;
    EXPECT_THAT(shown.output, StartsWith(std::string(row.bits)));
    EXPECT_THAT(shown.output, HasSubstr(std::string(row.fingerprint)));
    EXPECT_EQ(shown.output,
              run("ssh-keygen -l -f " + folder.write(key->name + ".pub", key->public_key)).output);
  }
}

TEST(SshHostKeys, SignaturesOfEveryKeyAreValid) {
  if (!has_ssh_keygen()) GTEST_SKIP() << "no ssh-keygen on this machine: install openssh-client";
  const Folder folder;
  const std::string text = folder.write("text", "hello\n");
  for (const Row& row : kRows) {
    const auto key = make_ssh_key(row.type, "");
    ASSERT_TRUE(key.ok());
    const std::string file = folder.write(key->name, key->private_key.reveal());
    const std::string signers = folder.write("signers", "me " + key->public_key);
    std::filesystem::remove(text + ".sig");
    const Outcome made = run("ssh-keygen -Y sign -n test -f " + file + " " + text);
    ASSERT_EQ(made.code, 0) << made.output;
    const Outcome checked =
        run("ssh-keygen -Y verify -I me -n test -f " + signers + " -s " + text + ".sig < " + text);
    EXPECT_EQ(checked.code, 0) << checked.output;
  }
}

}  // namespace
}  // namespace slurmop::secrets
