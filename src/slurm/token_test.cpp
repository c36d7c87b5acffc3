// SPDX-License-Identifier: Apache-2.0
#include "slurm/token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace slurm {
namespace {

using base::Secret;

class TokenFile : public ::testing::Test {
 protected:
  TokenFile() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sb-token-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
  }
  ~TokenFile() override { std::filesystem::remove_all(directory_); }

  std::string path() const { return directory_ / "token"; }

  // As a kubelet does it: the new file takes the old one's place. Its time is set, because a test
  // may write twice within the file system's clock tick.
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

TEST(TokenIn, IsTheTokenWithoutWhatStandsAroundIt) {
  for (const char* text : {"abc.def.ghi",
                           "abc.def.ghi\n",
                           "  abc.def.ghi \r\n\t",
                           "SLURM_JWT=abc.def.ghi\n",
                           "\nSLURM_JWT= abc.def.ghi"}) {
    std::string copy = text;
    EXPECT_EQ(token_in(copy).reveal(), "abc.def.ghi") << text;
    EXPECT_EQ(copy, "");
  }
}

TEST(FixedToken, IsGivenAsItIs) {
  TokenSource source = TokenSource::fixed(Secret("t"));
  EXPECT_EQ(source.token()->reveal(), "t");
  TokenSource empty = TokenSource::fixed(Secret());
  EXPECT_TRUE(empty.token().error().is(base::Kind::unauthorized));
}

TEST_F(TokenFile, ARotatedOneIsNoticedWithinSeconds) {
  write("first\n");
  TokenSource source = TokenSource::from_file(path(), clock_);
  EXPECT_EQ(source.token()->reveal(), "first");
  write("second\n");
  EXPECT_EQ(source.token()->reveal(), "first");  // not looked at again yet
  pass(TokenSource::kLookAgain);
  EXPECT_EQ(source.token()->reveal(), "second");
}

TEST_F(TokenFile, ARefusedOneIsReadAgainAtOnce) {
  write("first");
  TokenSource source = TokenSource::from_file(path(), clock_);
  EXPECT_EQ(source.token()->reveal(), "first");
  write("second");
  source.refused();
  EXPECT_EQ(source.token()->reveal(), "second");
}

TEST_F(TokenFile, AHalfDoneRotationDoesNotTakeTheTokenAway) {
  write("first");
  TokenSource source = TokenSource::from_file(path(), clock_);
  EXPECT_TRUE(source.token().ok());
  write("\n");
  pass(TokenSource::kLookAgain);
  EXPECT_EQ(source.token()->reveal(), "first");
  std::filesystem::remove(path());
  pass(TokenSource::kLookAgain);
  EXPECT_EQ(source.token()->reveal(), "first");
  write("second");
  pass(TokenSource::kLookAgain);
  EXPECT_EQ(source.token()->reveal(), "second");
}

TEST_F(TokenFile, WithoutAnyTokenTheErrorNamesTheFile) {
  TokenSource source = TokenSource::from_file(path(), clock_);
  const auto missing = source.token();
  ASSERT_FALSE(missing.ok());
  EXPECT_TRUE(missing.error().is(base::Kind::unauthorized));
  EXPECT_THAT(missing.error().message(), ::testing::HasSubstr(path()));
  write(" \n");
  EXPECT_THAT(source.token().error().message(), ::testing::HasSubstr("is empty"));
  write("late");
  EXPECT_EQ(source.token()->reveal(), "late");  // without a token every use looks
}

TEST_F(TokenFile, AHugeFileIsNoToken) {
  write(std::string(1'000'000, 'x'));
  TokenSource source = TokenSource::from_file(path(), clock_);
  EXPECT_FALSE(source.token().ok());
}

}  // namespace
}  // namespace slurm
