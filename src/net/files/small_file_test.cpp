// SPDX-License-Identifier: Apache-2.0
#include "net/files/small_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace net::inline files {
namespace {

using ::testing::HasSubstr;

TEST(SmallFile, IsReadWholeOrNotAtAll) {
  std::string pattern = (std::filesystem::temp_directory_path() / "sb-file-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(pattern.data());
  const std::string path = folder / "f";
  std::ofstream(path) << "12345";
  EXPECT_EQ(*read_small_file(path, 5), "12345");
  EXPECT_EQ(*read_small_file(path), "12345");
  EXPECT_THAT(read_small_file(path, 4).error().message(), HasSubstr("larger than 4 bytes"));
  EXPECT_THAT(read_small_file(folder / "none").error().message(), HasSubstr("No such file"));
  EXPECT_THAT(read_small_file(folder).error().message(), HasSubstr("cannot read"));
  std::ofstream(path, std::ios::trunc).close();
  EXPECT_EQ(*read_small_file(path), "");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace net::inline files
