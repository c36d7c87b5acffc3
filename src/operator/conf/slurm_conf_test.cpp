// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/slurm_conf.h"

#include "golden.h"
#include "operator/conf/testing_hostile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace slurmop::conf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SlurmConf small() {
  return {.cluster_name = "demo",
          .controllers = {{"controller-0", "controller-0.controller"}},
          .node_sets = {{"worker", "worker"}},
          .partitions = {{.name = "main", .node_sets = {"worker"}, .is_default = true}}};
}

SlurmConf large() {
  SlurmConf input = small();
  input.cluster_name = "large";
  input.controllers.push_back({"controller-1", "10.96.0.17"});
  input.auth = AuthMode::munge;
  input.tracking = ProcessTracking::cgroup;
  input.places.munge_socket = "/run/munge/munge.socket.2";
  input.places.plugstack_conf = "/etc/slurm/plugstack.conf";
  input.programs = {.prolog = {"/opt/slurm/prolog.sh"},
                    .epilog = {"/opt/slurm/epilog.sh"},
                    .prolog_slurmctld = {"/opt/slurm/notify.sh"},
                    .epilog_slurmctld = {"/opt/slurm/notify.sh"}};
  input.health_check = {{"/opt/slurm/health.sh", 60, {"IDLE", "CYCLE"}}};
  input.accounting = {{"accounting", 6819}};
  input.has_gpus = true;
  input.node_sets = {{"cpu", "cpu"}, {"gpu", "gpu"}};
  input.partitions = {
      {.name = "main",
       .node_sets = {},
       .is_default = true,
       .options = "MaxTime=INFINITE PriorityTier=10"},
      {.name = "gpu", .node_sets = {"gpu"}, .options = "State=DRAIN OverSubscribe=YES"},
      {.name = "batch", .node_sets = {"cpu", "gpu"}}};
  input.slurmctld_parameters = {"conmgr_threads=32"};
  input.settings = {{"MaxJobCount", "20000", "spec.slurmConfig.maxJobCount"},
                    {"MessageTimeout", "60", "spec.slurmConfig.messageTimeout"},
                    {"KillWait", "40", "spec.slurmConfig.killWait"}};
  const auto custom = check_custom_slurm_config(
      "# from the user\n"
      "KillWait=45\n"
      "SlurmctldParameters=enable_configless,enable_stepmgr\n"
      "PrologFlags=Contain\n"
      "SchedulerParameters=bf_continue,bf_interval=30\n"
      "InteractiveStepOptions=\"--interactive --pty $SHELL\"\n"
      "Prolog=/opt/user/prolog.sh\n"
      "PartitionName=night Nodes=cpu MaxTime=12:00:00\n",
      surrounding_of(input));
  EXPECT_TRUE(custom.ok());
  input.custom = custom.config;
  return input;
}

std::string rendered(const SlurmConf& input) {
  const auto file = render_slurm_conf(input);
  return file.ok() ? std::string(file->reveal()) : "error: " + file.error().message();
}

TEST(SlurmConf, golden_files_are_current) {
  EXPECT_EQ(golden_difference("operator/conf/small/slurm.conf", rendered(small())), "");
  EXPECT_EQ(golden_difference("operator/conf/large/slurm.conf", rendered(large())), "");
}

TEST(SlurmConf, equal_input_gives_equal_bytes_and_hash) {
  EXPECT_EQ(render_slurm_conf(large())->hash(), render_slurm_conf(large())->hash());
  EXPECT_NE(render_slurm_conf(large())->hash(), render_slurm_conf(small())->hash());
  EXPECT_FALSE(render_slurm_conf(small())->is_secret());
}

TEST(SlurmConf, the_custom_line_replaces_a_setting_which_replaces_a_default) {
  const std::string text = rendered(large());
  EXPECT_THAT(text, HasSubstr("\nMessageTimeout=60\n"));
  EXPECT_THAT(text, Not(HasSubstr("MessageTimeout=30")));
  EXPECT_THAT(text, HasSubstr("\nKillWait=45\n"));
  EXPECT_THAT(text, Not(HasSubstr("KillWait=40")));
  EXPECT_THAT(text, Not(HasSubstr("KillWait=30")));
}

TEST(SlurmConf, list_keys_of_the_operator_and_the_user_are_joined) {
  EXPECT_THAT(
      rendered(large()),
      HasSubstr("\nSlurmctldParameters=enable_configless,conmgr_threads=32,enable_stepmgr\n"));
}

TEST(SlurmConf, no_static_node_is_listed) {
  EXPECT_THAT(rendered(large()), Not(HasSubstr("NodeName")));
}

TEST(SlurmConf, names_that_do_not_fit_together_are_refused) {
  SlurmConf input = small();
  input.partitions.push_back({.name = "x", .node_sets = {"gone"}});
  EXPECT_THAT(rendered(input), HasSubstr("partition x: there is no NodeSet gone"));
  input = small();
  input.partitions.push_back(input.partitions[0]);
  EXPECT_THAT(rendered(input), HasSubstr("partition main is defined twice"));
  input = small();
  input.node_sets.push_back(input.node_sets[0]);
  EXPECT_THAT(rendered(input), HasSubstr("NodeSet worker is defined twice"));
  input = small();
  input.partitions.push_back({.name = "x", .node_sets = {}, .is_default = true});
  EXPECT_THAT(rendered(input), HasSubstr("two partitions are the default"));
  input = small();
  input.controllers.clear();
  EXPECT_THAT(rendered(input), HasSubstr("there is no controller"));
}

TEST(SlurmConf, a_default_in_the_options_is_the_default_partition) {
  SlurmConf input = small();
  input.partitions = {{.name = "a", .node_sets = {}, .options = "default=yes"}};
  EXPECT_TRUE(surrounding_of(input).has_default_partition);
  input.partitions.push_back({.name = "b", .node_sets = {}, .is_default = true});
  EXPECT_THAT(rendered(input), HasSubstr("two partitions are the default"));
  input.partitions = {{.name = "a", .node_sets = {}, .options = "Default=NO"}};
  EXPECT_FALSE(surrounding_of(input).has_default_partition);
}

TEST(SlurmConf, whole_lines_of_partitions_are_rendered_and_known) {
  SlurmConf input = small();
  input.partitions.clear();
  const std::vector<std::string> lines = {"PartitionName=raw Nodes=worker Default=YES"};
  input.partition_lines = check_partition_lines(lines, surrounding_of(input)).config;
  EXPECT_THAT(rendered(input), HasSubstr("\nPartitionName=raw Nodes=worker Default=YES\n"));
  EXPECT_TRUE(surrounding_of(input).partitions.contains("raw"));
  EXPECT_TRUE(surrounding_of(input).has_default_partition);
}

TEST(SlurmConf, the_file_of_a_client_says_only_where_the_daemons_are) {
  const auto file = render_client_conf(large());
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->name(), "slurm.conf");
  const std::string text(file->reveal());
  EXPECT_THAT(text, HasSubstr("\nSlurmctldHost=controller-1(10.96.0.17)\n"));
  EXPECT_THAT(text, HasSubstr("\nAccountingStorageHost=accounting\n"));
  for (const char* key : {"PartitionName", "NodeSet", "KillWait", "MaxJobCount", "Prolog"}) {
    EXPECT_THAT(text, Not(HasSubstr(key)));
  }
}

TEST(SlurmConf, a_setting_is_checked_and_named_by_its_field) {
  SlurmConf input = small();
  input.settings = {{"MessageTimeout", "abc", "spec.slurmConfig.messageTimeout"}};
  EXPECT_THAT(rendered(input), HasSubstr("spec.slurmConfig.messageTimeout: \"abc\" is not"));
  input.settings = {{"AuthType", "auth/munge", "x"}};
  EXPECT_THAT(rendered(input), HasSubstr("\"AuthType\" is no setting"));
}

TEST(SlurmConf, a_hostile_value_is_refused_in_every_string_field) {
  using Place = std::function<std::string&(SlurmConf&)>;
  const std::pair<std::string_view, Place> kPlaces[] = {
      {"cluster_name", [](SlurmConf& c) -> std::string& { return c.cluster_name; }},
      {"controller name", [](SlurmConf& c) -> std::string& { return c.controllers[0].name; }},
      {"controller address", [](SlurmConf& c) -> std::string& { return c.controllers[1].address; }},
      {"slurm_user", [](SlurmConf& c) -> std::string& { return c.slurm_user; }},
      {"state", [](SlurmConf& c) -> std::string& { return c.places.state; }},
      {"slurmd_spool", [](SlurmConf& c) -> std::string& { return c.places.slurmd_spool; }},
      {"slurmctld_pid", [](SlurmConf& c) -> std::string& { return c.places.slurmctld_pid; }},
      {"slurmd_pid", [](SlurmConf& c) -> std::string& { return c.places.slurmd_pid; }},
      {"jwt_key", [](SlurmConf& c) -> std::string& { return c.places.jwt_key; }},
      {"munge_socket", [](SlurmConf& c) -> std::string& { return c.places.munge_socket; }},
      {"plugstack_conf", [](SlurmConf& c) -> std::string& { return c.places.plugstack_conf; }},
      {"prolog", [](SlurmConf& c) -> std::string& { return c.programs.prolog[0]; }},
      {"epilog", [](SlurmConf& c) -> std::string& { return c.programs.epilog[0]; }},
      {"prolog_slurmctld",
       [](SlurmConf& c) -> std::string& { return c.programs.prolog_slurmctld[0]; }},
      {"epilog_slurmctld",
       [](SlurmConf& c) -> std::string& { return c.programs.epilog_slurmctld[0]; }},
      {"health program", [](SlurmConf& c) -> std::string& { return c.health_check->program; }},
      {"health state", [](SlurmConf& c) -> std::string& { return c.health_check->node_states[1]; }},
      {"accounting host", [](SlurmConf& c) -> std::string& { return c.accounting->host; }},
      {"node set", [](SlurmConf& c) -> std::string& { return c.node_sets[0].name; }},
      {"feature", [](SlurmConf& c) -> std::string& { return c.node_sets[0].feature; }},
      {"partition", [](SlurmConf& c) -> std::string& { return c.partitions[1].name; }},
      {"partition nodes",
       [](SlurmConf& c) -> std::string& { return c.partitions[1].node_sets[0]; }},
      {"partition options", [](SlurmConf& c) -> std::string& { return c.partitions[1].options; }},
      {"slurmctld parameter",
       [](SlurmConf& c) -> std::string& { return c.slurmctld_parameters[0]; }},
      {"setting key", [](SlurmConf& c) -> std::string& { return c.settings[0].key; }},
      {"setting value", [](SlurmConf& c) -> std::string& { return c.settings[0].value; }},
  };
  for (const auto& [name, place] : kPlaces) {
    for (const std::string& hostile : hostile_values()) {
      SlurmConf input = large();
      place(input) = hostile;
      EXPECT_FALSE(render_slurm_conf(input).ok()) << name << " accepts " << hostile;
    }
  }
}

}  // namespace
}  // namespace slurmop::conf
