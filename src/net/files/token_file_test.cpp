// SPDX-License-Identifier: Apache-2.0
#include "net/files/token_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace net::inline files {
namespace {

class TokenFileTest : public ::testing::Test {
 protected:
  TokenFileTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sb-token-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
  }
  ~TokenFileTest() override { std::filesystem::remove_all(directory_); }

  std::string path() const { return directory_ / "token"; }

  // Replaces the file as the kubelet does. The modification time is set, because a test may write
  // twice within one tick of the file system's clock.
  void write(std::string_view text) {
    const std::string fresh = directory_ / "fresh";
    std::ofstream(fresh) << text;
    std::filesystem::last_write_time(
        fresh, std::filesystem::file_time_type(std::chrono::seconds(++written_)));
    std::filesystem::rename(fresh, path());
  }

  void pass(base::Duration time) { clock_.advance_to(clock_.now() + time); }

  std::filesystem::path directory_;
  int written_ = 0;
  base::VirtualClock clock_;
};

TEST(Trimmed, RemovesSurroundingWhiteSpace) {
  for (const char* text : {"abc", "abc\n", "  abc \r\n\t", "\v\fabc"})
    EXPECT_EQ(trimmed(text), "abc");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed("a b"), "a b");
}

TEST_F(TokenFileTest, ARotatedTokenIsNoticedWithinSeconds) {
  write("first\n");
  TokenFile source("the token", path(), clock_);
  EXPECT_EQ(source.token()->reveal(), "first");
  write("second\n");
  EXPECT_EQ(source.token()->reveal(), "first");  // not checked again yet
  pass(TokenFile::kCheckInterval);
  EXPECT_EQ(source.token()->reveal(), "second");
}

TEST_F(TokenFileTest, ARefusedTokenIsReadAgainAtOnce) {
  write("first");
  TokenFile source("the token", path(), clock_);
  EXPECT_EQ(source.token()->reveal(), "first");
  write("second");
  source.refused();
  EXPECT_EQ(source.token()->reveal(), "second");
}

TEST_F(TokenFileTest, AnIncompleteRotationKeepsTheOldToken) {
  write("first");
  TokenFile source("the token", path(), clock_);
  EXPECT_TRUE(source.token().ok());
  write("\n");
  pass(TokenFile::kCheckInterval);
  EXPECT_EQ(source.token()->reveal(), "first");
  std::filesystem::remove(path());
  pass(TokenFile::kCheckInterval);
  EXPECT_EQ(source.token()->reveal(), "first");
  write("second");
  pass(TokenFile::kCheckInterval);
  EXPECT_EQ(source.token()->reveal(), "second");
}

TEST_F(TokenFileTest, WithoutAnyTokenTheErrorNamesTheFile) {
  TokenFile source("the token", path(), clock_);
  const auto missing = source.token();
  ASSERT_FALSE(missing.ok());
  EXPECT_TRUE(missing.error().is(base::Kind::unauthorized));
  EXPECT_THAT(missing.error().message(), ::testing::HasSubstr(path()));
  write(" \n");
  EXPECT_THAT(source.token().error().message(), ::testing::HasSubstr("is empty"));
  write("late");
  EXPECT_EQ(source.token()->reveal(), "late");  // without a token every use checks the file
}

TEST_F(TokenFileTest, AHugeFileIsNotAToken) {
  write(std::string(1'000'000, 'x'));
  TokenFile source("the token", path(), clock_);
  EXPECT_FALSE(source.token().ok());
}

TEST_F(TokenFileTest, ARefusedTokenIsReadAgainEvenIfTheFileLooksUnchanged) {
  write("first");
  TokenFile source("the token", path(), clock_);
  EXPECT_EQ(source.token()->reveal(), "first");
  const auto when = std::filesystem::last_write_time(path());
  std::ofstream(path()) << "other";  // same length, written in place
  std::filesystem::last_write_time(path(), when);
  pass(TokenFile::kCheckInterval);
  EXPECT_EQ(source.token()->reveal(), "first") << "the change is not visible in stat";
  source.refused();
  EXPECT_EQ(source.token()->reveal(), "other");
}

TEST_F(TokenFileTest, TheSymlinkSwitchOfAProjectedVolumeIsNoticed) {
  const auto publish = [&](const std::string& version) {
    std::filesystem::create_directory(directory_ / version);
    std::ofstream(directory_ / version / "token") << version;
    std::filesystem::create_symlink(version, directory_ / "fresh");
    std::filesystem::rename(directory_ / "fresh", directory_ / "..data");
  };
  publish("v1");
  std::filesystem::create_symlink("..data/token", directory_ / "link");
  TokenFile source("the token", directory_ / "link", clock_);
  EXPECT_EQ(source.token()->reveal(), "v1");
  publish("v2");
  pass(TokenFile::kCheckInterval);
  EXPECT_EQ(source.token()->reveal(), "v2");
}

}  // namespace
}  // namespace net::inline files
