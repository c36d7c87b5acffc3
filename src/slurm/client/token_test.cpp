// SPDX-License-Identifier: Apache-2.0
#include "slurm/client/token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace slurm::inline client {
namespace {

using base::Secret;

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

TEST(TokenSource, AFileIsReadAsScontrolWritesIt) {
  std::string pattern = (std::filesystem::temp_directory_path() / "sb-token-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(pattern.data());
  base::VirtualClock clock;
  TokenSource source = TokenSource::from_file(folder / "token", clock);
  EXPECT_THAT(source.token().error().message(), ::testing::HasSubstr(folder / "token"));
  std::ofstream(folder / "token") << "SLURM_JWT=first\n";
  EXPECT_EQ(source.token()->reveal(), "first");
  std::ofstream(folder / "token") << "SLURM_JWT=second-one\n";
  source.refused();
  EXPECT_EQ(source.token()->reveal(), "second-one");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace slurm::inline client
