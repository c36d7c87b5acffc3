// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/configuration.h"

#include "operator/agent/testing_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace slurmop::agent {
namespace {

namespace fs = std::filesystem;
using base::Kind;
using ::testing::HasSubstr;
using testing::TestFolder;

Configuration sample() {
  return {"abc", {{"cgroup.conf", "CgroupPlugin=disabled\n"}, {"slurm.conf", "ClusterName=a\n"}}};
}

TEST(Configuration, OfAMountedConfigMapIsRead) {
  const TestFolder folder;
  folder.publish(sample());
  const auto read = read_configuration(folder.path());
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(*read, sample());
}

TEST(Configuration, OfAReplacedConfigMapIsReadAsAWhole) {
  const TestFolder folder;
  folder.publish(sample());
  Configuration next = sample();
  next.hash = "def";
  next.files.erase("cgroup.conf");
  next.files["slurm.conf"] += "MaxJobCount=5\n";
  folder.publish(next);
  EXPECT_EQ(*read_configuration(folder.path()), next);
}

TEST(Configuration, OfAPlainFolderIsReadWithoutHiddenFilesAndFolders) {
  const TestFolder folder;
  folder.write("hash", "abc\n");
  folder.write("slurm.conf", "ClusterName=a\n");
  folder.write(".draft", "x");
  fs::create_directory(folder.path() + "/sub");
  const auto read = read_configuration(folder.path());
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(*read, (Configuration{"abc", {{"slurm.conf", "ClusterName=a\n"}}}));
}

TEST(Configuration, ThatDoesNotExistYetIsNotFound) {
  const TestFolder folder;
  for (const std::string& path : {folder.path(), folder.path() + "/none"}) {
    const auto read = read_configuration(path);
    ASSERT_FALSE(read.ok());
    EXPECT_TRUE(read.error().is(Kind::not_found)) << read.error().message();
  }
  folder.write("hash", "abc");
  EXPECT_THAT(read_configuration(folder.path()).error().message(),
              HasSubstr("has no file slurm.conf"));
}

TEST(Configuration, WhoseVersionVanishesIsUnavailable) {
  const TestFolder folder;
  folder.publish(sample());
  fs::remove_all(fs::canonical(folder.path() + "/..data"));
  const auto read = read_configuration(folder.path());
  ASSERT_FALSE(read.ok());
  EXPECT_TRUE(read.error().is(Kind::unavailable)) << read.error().message();
}

TEST(Configuration, ThatCannotBeOneIsInvalid) {
  for (const char* hash : {"", "a b", "../up", "a\nb"}) {
    const TestFolder folder;
    folder.write("hash", hash);
    folder.write("slurm.conf", "ClusterName=a\n");
    const auto read = read_configuration(folder.path());
    ASSERT_FALSE(read.ok()) << hash;
    EXPECT_TRUE(read.error().is(Kind::invalid)) << hash;
  }
  const TestFolder large;
  large.write("hash", "abc");
  large.write("slurm.conf", std::string(kMostFileBytes + 1, '#'));
  EXPECT_TRUE(read_configuration(large.path()).error().is(Kind::invalid));
  const TestFolder reserved;
  reserved.write("hash", "abc");
  reserved.write("slurm.conf", "ClusterName=a\n");
  reserved.write("current", "x");
  EXPECT_TRUE(read_configuration(reserved.path()).error().is(Kind::invalid));
  const TestFolder many;
  for (std::size_t i = 0; i <= kMostFiles; ++i) many.write("file" + std::to_string(i), "x");
  EXPECT_TRUE(read_configuration(many.path()).error().is(Kind::invalid));
}

TEST(Configuration, HasAnIdForItsHashNamesAndContents) {
  const std::string id = content_id(sample());
  EXPECT_EQ(id.size(), 64U);
  EXPECT_EQ(id, content_id(sample()));
  Configuration other = sample();
  other.hash = "abd";
  EXPECT_NE(content_id(other), id);
  other = sample();
  other.files["slurm.conf"] += " ";
  EXPECT_NE(content_id(other), id);
  other = sample();
  other.files["gres.conf"] = "";
  EXPECT_NE(content_id(other), id);
}

TEST(Configuration, DifferencesAreNamedForTheLog) {
  Configuration after = sample();
  EXPECT_EQ(difference(sample(), after), "");
  after.files["slurm.conf"] = "ClusterName=b\n";
  after.files["topology.conf"] = "";
  after.files.erase("cgroup.conf");
  EXPECT_EQ(difference(sample(), after), "slurm.conf, +topology.conf, -cgroup.conf");
}

}  // namespace
}  // namespace slurmop::agent
