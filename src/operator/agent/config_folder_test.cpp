// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/config_folder.h"

#include "net/files/small_file.h"
#include "operator/agent/durable_files.h"
#include "operator/agent/testing_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sys/stat.h>

namespace slurmop::agent {
namespace {

namespace fs = std::filesystem;
using base::Kind;
using Links = ConfigFolder::Links;
using testing::TestFolder;
using ::testing::UnorderedElementsAre;

Configuration sample(std::string hash) {
  return {hash, {{"gres.conf", ""}, {"slurm.conf", "ClusterName=" + hash + "\n"}}};
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

TEST(ConfigFolder, IsEmptyAtFirst) {
  const TestFolder folder;
  EXPECT_EQ(ConfigFolder(folder.path(), Links::none).read(), std::nullopt);
  EXPECT_EQ(ConfigFolder(folder / "missing", Links::none).read(), std::nullopt);
}

TEST(ConfigFolder, ReturnsWhatWasWrittenLast) {
  const TestFolder folder;
  ConfigFolder config(folder / "a/b", Links::none);
  for (const char* hash : {"one", "two", "two", "three"}) {
    ASSERT_TRUE(config.write(sample(hash)).ok());
    EXPECT_EQ(config.read(), sample(hash));
    EXPECT_EQ(ConfigFolder(folder / "a/b", Links::none).read(), sample(hash));
  }
  EXPECT_THAT(names_in(folder / "a/b"), UnorderedElementsAre("current", "versions"));
  EXPECT_EQ(names_in(folder / "a/b/versions").size(), 2U) << "the current and the one before";
}

TEST(ConfigFolder, HasALinkForEachFile) {
  const TestFolder folder;
  folder.write("foreign.conf", "x");
  ConfigFolder config(folder.path(), Links::each_file);
  ASSERT_TRUE(config.write(sample("one")).ok());
  EXPECT_EQ(fs::read_symlink(folder / "slurm.conf"), "current/slurm.conf");
  EXPECT_EQ(*net::read_small_file(folder / "slurm.conf"), "ClusterName=one\n");

  Configuration next = sample("two");
  next.files.erase("gres.conf");
  next.files["topology.conf"] = "#\n";
  ASSERT_TRUE(config.write(next).ok());
  EXPECT_EQ(*net::read_small_file(folder / "slurm.conf"), "ClusterName=two\n");
  EXPECT_THAT(
      names_in(folder.path()),
      UnorderedElementsAre("current", "versions", "slurm.conf", "topology.conf", "foreign.conf"));
}

TEST(ConfigFolder, CanBeReadByOtherUsersWhateverTheUmaskIs) {
  const TestFolder folder;
  const ::mode_t before = ::umask(0077);
  const bool written = ConfigFolder(folder / "new", Links::each_file).write(sample("one")).ok();
  ::umask(before);
  ASSERT_TRUE(written);
  const auto mode = [&](const std::string& name) {
    return fs::status(folder / name).permissions();
  };
  for (const char* name : {"new", "new/versions", "new/current"}) {
    EXPECT_EQ(mode(name), fs::perms(0755)) << name;
  }
  EXPECT_EQ(mode("new/slurm.conf"), fs::perms(0644));
}

TEST(ConfigFolder, KeepsTheOldConfigurationIfTheNewOneCannotBeWritten) {
  const TestFolder folder;
  ConfigFolder config(folder.path(), Links::each_file);
  ASSERT_TRUE(config.write(sample("one")).ok());
  fs::create_directory(folder / "topology.conf");  // in the way of a link
  Configuration next = sample("two");
  next.files["topology.conf"] = "";
  const auto written = config.write(next);
  ASSERT_FALSE(written.ok());
  EXPECT_TRUE(written.error().is(Kind::unavailable)) << written.error().message();
  EXPECT_EQ(config.read(), sample("one"));
  EXPECT_EQ(*net::read_small_file(folder / "slurm.conf"), "ClusterName=one\n");
}

TEST(ConfigFolder, AnIncompleteVersionIsNotUsedAndIsRemoved) {
  const TestFolder folder;
  folder.write("versions/half.XXXXXX/slurm.conf", "Cluster");
  ConfigFolder config(folder.path(), Links::none);
  EXPECT_EQ(config.read(), std::nullopt);
  ASSERT_TRUE(config.write(sample("one")).ok());
  EXPECT_EQ(names_in(folder / "versions").size(), 1U);
}

TEST(DurableFiles, ReplaceAFileAndALink) {
  const TestFolder folder;
  for (const char* text : {"one", "two"}) {
    ASSERT_TRUE(replace_file(folder / "file", text).ok());
    EXPECT_EQ(*net::read_small_file(folder / "file"), text);
    ASSERT_TRUE(replace_link(text, folder / "link").ok());
    EXPECT_EQ(fs::read_symlink(folder / "link"), text);
  }
  EXPECT_THAT(names_in(folder.path()), UnorderedElementsAre("file", "link"));
  const auto failed = replace_file(folder / "none/file", "x");
  ASSERT_FALSE(failed.ok());
  EXPECT_THAT(failed.error().message(), ::testing::HasSubstr("none/.file.draft"));
}

}  // namespace
}  // namespace slurmop::agent
