// SPDX-License-Identifier: Apache-2.0
// The smaller files: cgroup.conf, slurmdbd.conf, gres.conf, sshd_config, topology.conf and
// plugstack.conf.
#include "golden.h"
#include "operator/conf/cgroup_conf.h"
#include "operator/conf/file.h"
#include "operator/conf/gres_conf.h"
#include "operator/conf/plugstack_conf.h"
#include "operator/conf/slurmdbd_conf.h"
#include "operator/conf/sshd_config.h"
#include "operator/conf/testing_hostile.h"
#include "operator/conf/topology_conf.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace slurmop::conf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string content(const base::Result<File>& file) {
  return file.ok() ? std::string(file->reveal()) : "error: " + file.error().message();
}

template <class Input>
using Places = std::vector<std::pair<std::string_view, std::function<std::string&(Input&)>>>;

template <class Input>
void expect_refused(const Input& good,
                    base::Result<File> (*render)(const Input&),
                    const Places<Input>& places) {
  ASSERT_TRUE(render(good).ok()) << content(render(good));
  for (const auto& [name, place] : places) {
    for (const std::string& hostile : hostile_values()) {
      Input input = good;
      place(input) = hostile;
      EXPECT_FALSE(render(input).ok()) << name << " accepts " << hostile;
    }
  }
}

TEST(File, has_the_usual_sha256) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(File::plain("a", "abc").hash(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(File::plain("a", "abc").mode(), 0644U);
}

SlurmdbdConf dbd() {
  return {.host = "accounting",
          .database = {.host = "mariadb"},
          .settings = {{"PurgeJobAfter", "12month", "spec.purgeJobAfter"},
                       {"DebugLevel", "verbose", "spec.debugLevel"}}};
}

TEST(SlurmdbdConf, golden_files_are_current) {
  EXPECT_EQ(
      golden_difference("operator/conf/small/slurmdbd.conf", content(render_slurmdbd_conf(dbd()))),
      "");
  SlurmdbdConf input = dbd();
  input.auth = AuthMode::munge;
  input.munge_socket = "/run/munge/munge.socket.2";
  input.database = {.host = "db.example.org",
                    .port = 3307,
                    .user = "acct",
                    .name = "acct_db",
                    .password = PasswordProgram{"/opt/slurm/database-password"}};
  EXPECT_EQ(
      golden_difference("operator/conf/large/slurmdbd.conf", content(render_slurmdbd_conf(input))),
      "");
}

TEST(SlurmdbdConf, a_password_makes_the_file_secret_and_is_never_printed) {
  SlurmdbdConf input = dbd();
  input.database.password = StoredPassword{base::Secret("geheim"), "17"};
  const auto file = render_slurmdbd_conf(input);
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(file->is_secret());
  EXPECT_EQ(file->mode(), 0600U);
  EXPECT_THAT(std::string(file->reveal()), HasSubstr("\nStoragePass=geheim\n"));
  EXPECT_THAT(fmt::format("{}", *file), Not(HasSubstr("geheim")));
}

TEST(SlurmdbdConf, the_hash_depends_on_the_version_of_the_password_and_not_on_its_text) {
  const auto hash = [](std::string_view password, std::string version) {
    SlurmdbdConf input = dbd();
    input.database.password = StoredPassword{base::Secret(password), std::move(version)};
    return render_slurmdbd_conf(input)->hash();
  };
  EXPECT_EQ(hash("a", "1"), hash("b", "1"));
  EXPECT_NE(hash("a", "1"), hash("a", "2"));
}

TEST(SlurmdbdConf, a_password_is_escaped_for_slurms_parser_or_refused_without_being_shown) {
  const auto line = [](std::string_view password) {
    SlurmdbdConf input = dbd();
    input.database.password = StoredPassword{base::Secret(password), "1"};
    const std::string text = content(render_slurmdbd_conf(input));
    return text.starts_with("error") ? text : text.substr(text.find("StoragePass="));
  };
  EXPECT_EQ(line("a#b"), "StoragePass=a\\#b\n");
  EXPECT_EQ(line("a\\"), "StoragePass=a\\\\\n");
  EXPECT_EQ(line("a b"), "StoragePass=\"a b\"\n");
  EXPECT_EQ(line("a\"b"), "StoragePass=a\"b\n");
  EXPECT_EQ(line("a=b"), "StoragePass=a=b\n");
  for (const std::string_view refused : {"", "zyx\nw", "zyx\rw", "\"zyx\"", "zyx \"w", "zyx\tw"}) {
    EXPECT_THAT(line(refused), HasSubstr("error: slurmdbd.conf: the database password")) << refused;
    EXPECT_THAT(line(refused), Not(HasSubstr("zyx")));
  }
}

TEST(SlurmdbdConf, a_hostile_value_is_refused_in_every_string_field) {
  SlurmdbdConf input = dbd();
  input.auth = AuthMode::munge;
  input.munge_socket = "/run/munge/s";
  input.database.password = PasswordProgram{"/opt/p"};
  expect_refused<SlurmdbdConf>(
      input,
      render_slurmdbd_conf,
      {{"host", [](auto& c) -> std::string& { return c.host; }},
       {"slurm_user", [](auto& c) -> std::string& { return c.slurm_user; }},
       {"jwt_key", [](auto& c) -> std::string& { return c.jwt_key; }},
       {"munge_socket", [](auto& c) -> std::string& { return c.munge_socket; }},
       {"pid_file", [](auto& c) -> std::string& { return c.pid_file; }},
       {"database host", [](auto& c) -> std::string& { return c.database.host; }},
       {"database user", [](auto& c) -> std::string& { return c.database.user; }},
       {"database name", [](auto& c) -> std::string& { return c.database.name; }},
       {"password program",
        [](auto& c) -> std::string& {
          return std::get<PasswordProgram>(c.database.password).path;
        }},
       {"setting", [](auto& c) -> std::string& { return c.settings[0].value; }}});
}

TEST(CgroupConf, golden_files_are_current) {
  EXPECT_EQ(golden_difference("operator/conf/small/cgroup.conf", content(render_cgroup_conf({}))),
            "");
  CgroupConf input{.tracking = ProcessTracking::cgroup};
  EXPECT_EQ(
      golden_difference("operator/conf/large/cgroup.conf", content(render_cgroup_conf(input))), "");
  input.version = CgroupVersion::v1;
  input.custom = check_custom_cgroup_config("ConstrainDevices=no\nMemorySwappiness=0\n").config;
  EXPECT_EQ(golden_difference("operator/conf/v1/cgroup.conf", content(render_cgroup_conf(input))),
            "");
}

TEST(GresConf, golden_files_are_current) {
  EXPECT_EQ(golden_difference("operator/conf/small/gres.conf", content(render_gres_conf({}))), "");
  const GresConf input{
      .auto_detect = "nvidia",
      .lines = {{.nodes = "gpu-[0-3]", .name = "gpu", .type = "a100", .file = "/dev/nvidia[0-7]"},
                {.name = "shard", .count = 8, .flags = {"CountOnly"}}}};
  EXPECT_EQ(golden_difference("operator/conf/large/gres.conf", content(render_gres_conf(input))),
            "");
}

TEST(GresConf, a_hostile_value_is_refused_in_every_string_field) {
  const GresConf input{.auto_detect = "nvidia",
                       .lines = {{.nodes = "gpu-0",
                                  .name = "gpu",
                                  .type = "a100",
                                  .file = "/dev/nvidia0",
                                  .cores = "0-3",
                                  .flags = {"CountOnly"}}}};
  expect_refused<GresConf>(
      input,
      render_gres_conf,
      {{"auto_detect", [](auto& c) -> std::string& { return c.auto_detect; }},
       {"nodes", [](auto& c) -> std::string& { return c.lines[0].nodes; }},
       {"name", [](auto& c) -> std::string& { return c.lines[0].name; }},
       {"type", [](auto& c) -> std::string& { return c.lines[0].type; }},
       {"file", [](auto& c) -> std::string& { return c.lines[0].file; }},
       {"cores", [](auto& c) -> std::string& { return c.lines[0].cores; }},
       {"flags", [](auto& c) -> std::string& { return c.lines[0].flags[0]; }}});
}

TEST(SshdConfig, golden_file_is_current) {
  EXPECT_EQ(golden_difference("operator/conf/small/sshd_config", content(render_sshd_config({}))),
            "");
}

TEST(SshdConfig, a_hostile_value_is_refused_in_every_string_field) {
  expect_refused<SshdConfig>(
      SshdConfig{},
      render_sshd_config,
      {{"host key", [](auto& c) -> std::string& { return c.host_keys[0]; }},
       {"keys file", [](auto& c) -> std::string& { return c.authorized_keys_files[1]; }},
       {"environment", [](auto& c) -> std::string& { return c.accept_environment[0]; }}});
  EXPECT_FALSE(render_sshd_config({.port = 0}).ok());
}

TEST(TopologyConf, golden_file_is_current) {
  EXPECT_EQ(
      golden_difference("operator/conf/small/topology.conf", content(render_topology_conf({}))),
      "");
  const TopologyConf input{.switches = {{.name = "s1", .nodes = "gpu-[0-1]"},
                                        {.name = "s2"},
                                        {.name = "root", .switches = {"s1", "s2"}}}};
  EXPECT_EQ(
      golden_difference("operator/conf/large/topology.conf", content(render_topology_conf(input))),
      "");
}

TEST(TopologyConf, a_hostile_value_is_refused_in_every_string_field) {
  const TopologyConf input{.switches = {{.name = "a", .switches = {"b"}, .nodes = "n1"}}};
  expect_refused<TopologyConf>(
      input,
      render_topology_conf,
      {{"name", [](auto& c) -> std::string& { return c.switches[0].name; }},
       {"switches", [](auto& c) -> std::string& { return c.switches[0].switches[0]; }},
       {"nodes", [](auto& c) -> std::string& { return c.switches[0].nodes; }}});
}

PlugstackConf plugstack() {
  return {.plugins = {{.path = "chroot.so", .required = true, .words = {"/mnt/jail"}},
                      {.path = "/opt/spank/x.so", .arguments = {{"b", "2"}, {"a", "1"}}}}};
}

TEST(PlugstackConf, golden_files_are_current) {
  EXPECT_EQ(
      golden_difference("operator/conf/small/plugstack.conf", content(render_plugstack_conf({}))),
      "");
  EXPECT_EQ(golden_difference("operator/conf/large/plugstack.conf",
                              content(render_plugstack_conf(plugstack()))),
            "");
}

TEST(PlugstackConf, a_hostile_value_is_refused_in_every_string_field) {
  expect_refused<PlugstackConf>(
      plugstack(),
      render_plugstack_conf,
      {{"path", [](auto& c) -> std::string& { return c.plugins[0].path; }},
       {"word", [](auto& c) -> std::string& { return c.plugins[0].words[0]; }},
       {"argument", [](auto& c) -> std::string& { return c.plugins[1].arguments["a"]; }}});
  for (const std::string& hostile : hostile_values()) {
    PlugstackConf input = plugstack();
    input.plugins[1].arguments[hostile] = "1";
    EXPECT_FALSE(render_plugstack_conf(input).ok()) << hostile;
  }
}

}  // namespace
}  // namespace slurmop::conf
