// SPDX-License-Identifier: Apache-2.0
#include "bridge/config/watch.h"

#include "net/testing/loop.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace bridge::config {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

struct WatchingConfig : ::testing::Test {
  WatchingConfig() {
    fs::remove_all(folder);
    fs::create_directories(folder);
    write(folder / "config.yaml", "slurmRestApi: http://a\npartition: p\n");
    running.spawn("watch", watch.run());
  }
  ~WatchingConfig() override {
    running.cancel();
    world.run(running.join());
    fs::remove_all(folder);
  }

  static void write(const fs::path& path, std::string_view text) { std::ofstream(path) << text; }
  void says(std::string_view text) {
    write(folder / "config.yaml", text);
    pass(10s);
  }
  void pass(base::Duration time) { (void)world.run(world.loop.sleep_for(time)); }

  // Unique to this process: tests run in parallel.
  fs::path folder =
      fs::path(::testing::TempDir()) / fmt::format("slurm-bridge-config-watch-test-{}", ::getpid());
  net::testing::VirtualWorld world;
  std::vector<std::string> lines;
  std::vector<std::string> partitions;
  base::Log log{[this](std::string_view line) { lines.emplace_back(line); },
                world.clock,
                base::LogFormat::human};
  ConfigWatch watch{
      world.loop,
      log,
      {folder / "config.yaml", {{"mcsLabel", "m", "a flag"}}},
      parse_config("slurmRestApi: http://a\npartition: p\nmcsLabel: m\n").value(),
      [this](const Config& config) { partitions.push_back(config.partition + config.mcsLabel); }};
  net::TaskGroup running{world.loop};
};

TEST_F(WatchingConfig, AFileThatStaysTheSameIsNotTalkedAbout) {
  pass(10min);
  EXPECT_THAT(lines, IsEmpty());
  EXPECT_THAT(partitions, IsEmpty());
}

TEST_F(WatchingConfig, AChangeIsPassedOnOnceWithWhatOverridesIt) {
  says("slurmRestApi: http://a\npartition: q\nmcsLabel: other\n");
  EXPECT_THAT(partitions, ElementsAre("qm"));
  EXPECT_THAT(lines, ElementsAre(AllOf(HasSubstr("is in force"), HasSubstr("partition"))));
  pass(1min);
  EXPECT_EQ(partitions.size(), 1U);
}

TEST_F(WatchingConfig, AMomentOfWritingDoesNotCount) {
  pass(1900ms);
  write(folder / "config.yaml", "");
  pass(200ms);  // one read
  write(folder / "config.yaml", "slurmRestApi: http://a\npartition: p\n");
  pass(1min);
  EXPECT_THAT(partitions, IsEmpty());
  EXPECT_THAT(lines, IsEmpty());
}

TEST_F(WatchingConfig, AnInvalidFileIsLoggedOnceAndTheOldOneStays) {
  says("partition: [q]\n");
  pass(1min);
  EXPECT_THAT(partitions, IsEmpty());
  EXPECT_THAT(lines, ElementsAre(AllOf(HasSubstr("stays"), HasSubstr("line 1, column 12"))));
  lines.clear();
  fs::remove(folder / "config.yaml");
  pass(1min);
  EXPECT_THAT(lines, ElementsAre(HasSubstr("cannot read")));
  lines.clear();
  says("slurmRestApi: http://a\npartition: p\n");
  EXPECT_THAT(lines, IsEmpty());
  EXPECT_THAT(partitions, IsEmpty());
}

TEST_F(WatchingConfig, WhatNeedsARestartIsNamedOnceAndNotTaken) {
  says("slurmRestApi: http://b\npartition: p\nfeatures: {enableHTTP2: true}\n");
  EXPECT_THAT(lines,
              ElementsAre(AllOf(HasSubstr("needs a restart"),
                                HasSubstr("slurmRestApi, features.enableHTTP2"))));
  EXPECT_THAT(partitions, IsEmpty());
  lines.clear();
  says("slurmRestApi: http://b\npartition: q\nfeatures: {enableHTTP2: true}\n");
  EXPECT_THAT(lines, ElementsAre(HasSubstr("is in force")));
  EXPECT_THAT(partitions, ElementsAre("qm"));
}

TEST_F(WatchingConfig, ChangedNamespacesMustBeRegisteredAgain) {
  says("slurmRestApi: http://a\npartition: p\nmanagedNamespaces: [a]\n");
  EXPECT_THAT(lines,
              ElementsAre(AllOf(HasSubstr("is in force"), HasSubstr("deploy/webhook/render"))));
  says("slurmRestApi: http://a\npartition: q\nmanagedNamespaces: [a]\n");
  EXPECT_THAT(lines.back(), Not(HasSubstr("render")));
  says("slurmRestApi: http://a\npartition: q\nmanagedNamespaces: [a]\ndaemonSetNamespaces: [b]\n");
  EXPECT_THAT(lines.back(), HasSubstr("render"));
}

TEST_F(WatchingConfig, AnUnknownKeyThatAppearsIsAWarning) {
  says("slurmRestApi: http://a\npartition: p\npartitoin: q\n");
  EXPECT_THAT(lines, ElementsAre(HasSubstr("line 3: unknown key")));
}

TEST_F(WatchingConfig, AConfigMapSwapsLinks) {
  running.cancel();
  world.run(running.join());
  const fs::path mount = folder / "mount";
  for (const char* one : {"..1", "..2"}) {
    fs::create_directories(mount / one);
    write(mount / one / "config.yaml", std::string("partition: ") + (one + 2));
  }
  fs::create_symlink("..1", mount / "..data");
  fs::create_symlink("..data/config.yaml", mount / "config.yaml");
  ConfigWatch mounted(world.loop,
                      log,
                      {mount / "config.yaml", {}},
                      parse_config("partition: '1'").value(),
                      [this](const Config& config) { partitions.push_back(config.partition); });
  net::TaskGroup watching(world.loop);
  watching.spawn("watch", mounted.run());
  pass(1min);
  EXPECT_THAT(partitions, IsEmpty());
  fs::create_symlink("..2", mount / "..data_tmp");
  fs::rename(mount / "..data_tmp", mount / "..data");
  pass(1min);
  EXPECT_THAT(partitions, ElementsAre("2"));
  watching.cancel();
  world.run(watching.join());
}

}  // namespace
}  // namespace bridge::config
