// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include "cluster_domain.h"
#include "controller_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace operator_app {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct CommandLineTest : ::testing::Test {
  Command read(std::vector<std::string_view> arguments) {
    arguments.insert(arguments.begin(), "slurm_operator");
    return read_command_line(arguments,
                             {[this](const char* name) { return variables[name]; }, resolv_conf});
  }
  std::map<std::string, std::string> variables;
  std::string resolv_conf;
};

TEST_F(CommandLineTest, WithoutArgumentsTheManagerRunsWithTheReferencesDefaults) {
  const Command command = read({});
  ASSERT_TRUE(command.run) << command.print;
  const Settings& settings = command.settings;
  EXPECT_EQ(settings.metrics_address, ":8080");
  EXPECT_EQ(settings.probe_address, ":8081");
  EXPECT_TRUE(settings.leader_elect);
  EXPECT_FALSE(settings.metrics_secure);
  EXPECT_EQ(settings.log_format, base::LogFormat::json);
  EXPECT_EQ(settings.cache_sync_timeout, base::Duration(2min));
  EXPECT_EQ(settings.workers, 1);
  EXPECT_TRUE(settings.webhook.enabled);
  EXPECT_EQ(settings.defaults.cluster_domain, "cluster.local");
  EXPECT_THAT(settings.namespaces, IsEmpty());
  EXPECT_THAT(settings.warnings, IsEmpty());
}

TEST_F(CommandLineTest, TheFlagsOfTheReferencesChartAreAccepted) {
  const Command command = read({"--health-probe-bind-address=:8081",
                                "--metrics-bind-address=:8443",
                                "--metrics-secure",
                                "--leader-elect",
                                "--operator-namespace=soperator",
                                "--log-format=plain",
                                "--log-level=debug",
                                "--enable-http2=false",
                                "--cache-sync-timeout=1m",
                                "--max-concurrent-reconciles=4",
                                "--controllers=*,-topology"});
  ASSERT_TRUE(command.run) << command.print;
  EXPECT_EQ(command.settings.metrics_address, ":8443");
  EXPECT_TRUE(command.settings.metrics_secure);
  EXPECT_EQ(command.settings.operator_namespace, "soperator");
  EXPECT_EQ(command.settings.log_format, base::LogFormat::human);
  EXPECT_EQ(command.settings.log_level, base::LogLevel::debug);
  EXPECT_EQ(command.settings.workers, 4);
}

TEST_F(CommandLineTest, TheManagerIsAlsoASubcommandWithSingleDashFlags) {
  const Command command = read({"manager",
                                "-leader-elect=false",
                                "-slurm-image",
                                "r/slurm:1",
                                "-image-pull-policy",
                                "Never",
                                "-cluster-domain",
                                "corp.example"});
  ASSERT_TRUE(command.run) << command.print;
  EXPECT_FALSE(command.settings.leader_elect);
  EXPECT_EQ(command.settings.defaults.slurm_image, "r/slurm:1");
  EXPECT_EQ(command.settings.defaults.pull_policy, "Never");
  EXPECT_EQ(command.settings.defaults.cluster_domain, "corp.example");
}

TEST_F(CommandLineTest, TheEnvironmentSelectsNamespacesAndWebhooks) {
  variables = {{"SLURM_OPERATOR_WATCH_NAMESPACES", "a,b"},
               {"ENABLE_WEBHOOKS", "false"},
               {"KUBECONFIG", "/k"},
               {"IS_MARIADB_CRD_INSTALLED", "true"}};
  resolv_conf = "nameserver 10.0.0.10\nsearch a.svc.k8s.corp svc.k8s.corp k8s.corp\n";
  const Command command = read({});
  ASSERT_TRUE(command.run) << command.print;
  EXPECT_THAT(command.settings.namespaces, ElementsAre("a", "b"));
  EXPECT_FALSE(command.settings.webhook.enabled);
  EXPECT_EQ(command.settings.kubeconfig, "/k");
  EXPECT_EQ(command.settings.defaults.cluster_domain, "k8s.corp");
  EXPECT_THAT(command.settings.warnings, ElementsAre(HasSubstr("IS_MARIADB_CRD_INSTALLED")));
}

TEST_F(CommandLineTest, AnInvalidValueNamesItsFlagOrVariable) {
  EXPECT_THAT(read({"-log-format=xml"}).print, HasSubstr("log-format"));
  EXPECT_THAT(read({"-max-concurrent-reconciles=0"}).print, HasSubstr("from 1 to 1024"));
  EXPECT_THAT(read({"-image-pull-policy=Sometimes"}).print, HasSubstr("IfNotPresent"));
  EXPECT_THAT(read({"-controllers=custer"}).print, HasSubstr("\"custer\" is not a controller"));
  EXPECT_THAT(read({"-leader-elct"}).print, HasSubstr("leader-elect"));
  EXPECT_THAT(read({"frobnicate"}).print, HasSubstr("unknown command"));
  variables["SLURM_OPERATOR_WATCH_NAMESPACES"] = "A B";
  const Command command = read({});
  EXPECT_EQ(command.exit_code, 2);
  EXPECT_THAT(command.print, HasSubstr("SLURM_OPERATOR_WATCH_NAMESPACES"));
}

TEST_F(CommandLineTest, TheAgentGetsItsOwnArguments) {
  const Command command = read({"config-agent", "--listen", ":7000"});
  ASSERT_TRUE(command.run);
  EXPECT_EQ(command.subcommand, Subcommand::config_agent);
  EXPECT_EQ(command.agent.listen, ":7000");
  EXPECT_THAT(read({"config-agent", "-nosuch"}).print, HasSubstr("config-agent"));
}

TEST_F(CommandLineTest, TheVersionIsPrinted) {
  const Command command = read({"version"});
  EXPECT_FALSE(command.run);
  EXPECT_EQ(command.exit_code, 0);
  EXPECT_THAT(command.print, HasSubstr("slurm-operator "));
}

TEST(ClusterDomain, IsTheSearchEntryOfServices) {
  EXPECT_EQ(cluster_domain_in("search x.svc.a.b svc.a.b a.b\n"), "a.b");
  EXPECT_EQ(cluster_domain_in("options ndots:5\nsearch\tsvc.cluster.local."), "cluster.local");
  EXPECT_EQ(cluster_domain_in("search example.com\n"), "cluster.local");
  EXPECT_EQ(cluster_domain_in(""), "cluster.local");
}

TEST(ControllerNames, TheOnlyControllerCannotBeSwitchedOff) {
  EXPECT_TRUE(check_controllers("").ok());
  EXPECT_TRUE(check_controllers("cluster,nodeset,-topology,*").ok());
  EXPECT_FALSE(check_controllers("-cluster").ok());
}

}  // namespace
}  // namespace operator_app
