// SPDX-License-Identifier: Apache-2.0
#include "settings.h"

#include "bridge/config/keys.h"
#include "net/files/small_file.h"
#include "source_tree.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <unistd.h>

namespace app {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct CommandLine : ::testing::Test {
  CommandLine() {
    write(config, "slurmRestApi: http://127.0.0.1:6820\n");
    for (const char* name :
         {"SLURM_JWT_FILE", "SLURM_REST_API", "KUBECONFIG", "NAMESPACE_SELECTOR"})
      ::unsetenv(name);
    ::setenv("SLURM_JWT", "token", 1);
  }
  ~CommandLine() override {
    for (const char* name : {"SLURM_JWT", "SLURM_REST_API", "KUBECONFIG", "NAMESPACE_SELECTOR"})
      ::unsetenv(name);
  }

  static void write(const std::string& path, std::string_view text) { std::ofstream(path) << text; }

  static Command call(const std::vector<std::string>& arguments) {
    std::vector<const char*> argv;
    for (const std::string& one : arguments) argv.push_back(one.c_str());
    return read_command_line(static_cast<int>(argv.size()), argv.data());
  }

  Command read(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"slurm-bridge"});
    arguments.push_back("--config=" + config);
    return call(arguments);
  }

  const std::string folder = ::testing::TempDir();
  const std::string config = folder + fmt::format("slurm-bridge-settings-test-{}.yaml", ::getpid());
};

TEST_F(CommandLine, TheDefaultAddressesAreThoseOfTheReference) {
  const Command plain = read({"controllers"});
  ASSERT_TRUE(plain.run) << plain.print;
  EXPECT_EQ(plain.settings.diagnostics.metrics_address, ":8080");
  EXPECT_EQ(plain.settings.diagnostics.probe_address, ":8081");
  EXPECT_FALSE(plain.settings.diagnostics.metrics_secure);
  EXPECT_THAT(plain.settings.warnings, IsEmpty());

  const Command result = read({"scheduler",
                               "-metrics-bind-address",
                               "0",
                               "--health-probe-bind-address=127.0.0.1:9000",
                               "--metrics-secure",
                               "--metrics-cert-path=/certs"});
  ASSERT_TRUE(result.run) << result.print;
  EXPECT_EQ(result.settings.diagnostics.metrics_address, "0");
  EXPECT_EQ(result.settings.diagnostics.probe_address, "127.0.0.1:9000");
  EXPECT_TRUE(result.settings.diagnostics.metrics_secure);
  EXPECT_EQ(result.settings.diagnostics.metrics_cert_path, "/certs");
}

TEST_F(CommandLine, SecureMetricsNeedNoCertificate) {
  const Command command = read({"all", "--metrics-secure"});
  ASSERT_TRUE(command.run) << command.print;
  EXPECT_TRUE(command.settings.diagnostics.metrics_secure);
  EXPECT_EQ(command.settings.diagnostics.metrics_cert_path, "");
}

TEST_F(CommandLine, TheAuthorityOfSlurmsServerComesFromFileEnvironmentOrFlag) {
  write(config, "slurmRestApi: https://slurm\nslurmRestApiCaFile: /file\n");
  EXPECT_EQ(read({"all"}).settings.config.slurmRestApiCaFile, "/file");
  ::setenv("SLURM_REST_API_CA_FILE", "/environment", 1);
  EXPECT_EQ(read({"all"}).settings.config.slurmRestApiCaFile, "/environment");
  EXPECT_EQ(read({"all", "--slurm-rest-api-ca-file=/flag"}).settings.config.slurmRestApiCaFile,
            "/flag");
  ::unsetenv("SLURM_REST_API_CA_FILE");
}

TEST_F(CommandLine, Http2IsAcceptedWithAWarning) {
  const Command asked = read({"all", "--enable-http2=true"});
  ASSERT_TRUE(asked.run) << asked.print;
  EXPECT_THAT(asked.settings.warnings, Contains(HasSubstr("--enable-http2")));
  const Command refused = read({"all", "--enable-http2=false"});
  ASSERT_TRUE(refused.run) << refused.print;
  EXPECT_THAT(refused.settings.warnings, IsEmpty());
}

TEST_F(CommandLine, AnUnknownFlagIsRefusedWithTheNearestOne) {
  const Command command = read({"all", "--metrics-bind-adress=:1"});
  EXPECT_EQ(command.exit_code, 2);
  EXPECT_THAT(command.print, HasSubstr("metrics-bind-address"));
}

TEST_F(CommandLine, FlagsCountMoreThanTheEnvironmentAndThatMoreThanTheFile) {
  write(config,
        "slurmRestApi: http://file\npartition: file\nmcsLabel: file\n"
        "features: {enableLeaderElection: true}\n");
  ::setenv("SLURM_REST_API", "http://environment", 1);
  ::setenv("NAMESPACE_SELECTOR", "team in (a,b)", 1);
  ::setenv("KUBECONFIG", "/environment", 1);
  const Command plain = read({"all"});
  ASSERT_TRUE(plain.run) << plain.print;
  EXPECT_EQ(plain.settings.config.slurmRestApi, "http://environment");
  EXPECT_EQ(plain.settings.config.partition, "file");
  EXPECT_TRUE(plain.settings.config.managedNamespaceSelector.has_value());
  EXPECT_TRUE(plain.settings.config.features.enableLeaderElection);
  EXPECT_EQ(plain.settings.kubeconfig, "/environment");

  const Command result = read({"all",
                               "--slurm-rest-api=http://flag",
                               "--partition=flag",
                               "--scheduler-name=flag",
                               "--leader-elect=false",
                               "--kubeconfig=/flag"});
  ASSERT_TRUE(result.run) << result.print;
  EXPECT_EQ(result.settings.config.slurmRestApi, "http://flag");
  EXPECT_EQ(result.settings.config.partition, "flag");
  EXPECT_EQ(result.settings.config.mcsLabel, "file");
  EXPECT_EQ(result.settings.config.schedulerName, "flag");
  EXPECT_FALSE(result.settings.config.features.enableLeaderElection);
  EXPECT_EQ(result.settings.kubeconfig, "/flag");
  EXPECT_THAT(result.settings.lease_names, ElementsAre("flag", "69d5fe47.my.slinky.slurm.net"));
}

TEST_F(CommandLine, AnInvalidValueIsReportedWithItsOrigin) {
  const Command flag = read({"all", "--slurm-rest-api=slurm"});
  EXPECT_FALSE(flag.run);
  EXPECT_THAT(flag.print, HasSubstr("--slurm-rest-api: slurmRestApi must be an address"));
  ::setenv("NAMESPACE_SELECTOR", "team in a", 1);
  const Command variable = read({"all"});
  EXPECT_EQ(variable.exit_code, 1);
  EXPECT_THAT(variable.print, HasSubstr("NAMESPACE_SELECTOR: managedNamespaceSelector at char"));
}

TEST_F(CommandLine, WorkersAreBounded) {
  const Command plain = read({"controllers"});
  EXPECT_EQ(plain.settings.pod_workers, bridge::process::InstanceOptions().pod_workers);
  const Command result = read({"controllers", "-pod-workers", "3", "--node-workers=7"});
  ASSERT_TRUE(result.run) << result.print;
  EXPECT_EQ(result.settings.pod_workers, 3U);
  EXPECT_EQ(result.settings.node_workers, 7U);
  for (const char* wrong : {"--pod-workers=0", "--pod-workers=1025", "--node-workers=many"})
    EXPECT_EQ(read({"controllers", wrong}).exit_code, 2) << wrong;
}

TEST_F(CommandLine, TheLogIsConfiguredByFlagsOfZapAndKlog) {
  using base::LogFormat;
  using base::LogLevel;
  struct Row {
    std::vector<std::string> flags;
    LogLevel level;
    LogFormat format;
  };
  const Row kRows[] = {
      {{}, LogLevel::info, LogFormat::json},
      {{"-zap-log-level", "error"}, LogLevel::error, LogFormat::json},
      {{"--zap-log-level=2"}, LogLevel::debug, LogFormat::json},
      {{"-v", "3"}, LogLevel::info, LogFormat::json},
      {{"--v=4"}, LogLevel::debug, LogFormat::json},
      {{"--zap-devel"}, LogLevel::debug, LogFormat::human},
      {{"--zap-devel", "--zap-log-level=warn", "--zap-encoder=json"},
       LogLevel::warn,
       LogFormat::json},
      {{"--zap-time-encoding=rfc3339nano"}, LogLevel::info, LogFormat::json},
      {{"--zap-time-encoding=ISO8601"}, LogLevel::info, LogFormat::json},
      {{"--logging-format=text"}, LogLevel::info, LogFormat::human},
  };
  for (const Row& row : kRows) {
    std::vector<std::string> arguments = row.flags;
    arguments.insert(arguments.begin(), "scheduler");
    const Command command = read(arguments);
    ASSERT_TRUE(command.run) << command.print;
    EXPECT_EQ(command.settings.config.logLevel, row.level) << ::testing::PrintToString(row.flags);
    EXPECT_EQ(command.settings.log_format, row.format) << ::testing::PrintToString(row.flags);
    EXPECT_THAT(command.settings.warnings, IsEmpty()) << ::testing::PrintToString(row.flags);
  }
  EXPECT_EQ(read({"all", "--zap-time-encoding=sundial"}).exit_code, 2);
  for (const char* number :
       {"epoch", "millis", "nano", "nanos"}) {  // zap accepts nanos and prints nano
    EXPECT_THAT(read({"all", std::string("--zap-time-encoding=") + number}).settings.warnings,
                ElementsAre(HasSubstr("RFC 3339")))
        << number;
  }
  EXPECT_THAT(read({"all", "--zap-stacktrace-level=error"}).settings.warnings,
              ElementsAre(HasSubstr("have no stack trace")));
}

TEST_F(CommandLine, AProgramCalledByARolesNameIsThatRole) {
  struct Row {
    std::string program;
    Role role;
  };
  const Row kRows[] = {
      {"/scheduler", Role::scheduler},
      {"controllers", Role::controllers},
      {"/usr/bin/slurm-bridge-scheduler", Role::scheduler},
      {"./slurm-bridge-controllers", Role::controllers},
  };
  for (const Row& row : kRows) {
    const Command command = call({row.program, "--config=" + config});
    ASSERT_TRUE(command.run) << row.program << command.print;
    EXPECT_EQ(command.settings.role, row.role) << row.program;
  }
  EXPECT_EQ(call({"/usr/bin/slurm-bridge", "--config=" + config}).exit_code, 2);
  EXPECT_THAT(call({"/scheduler", "--version"}).print, HasSubstr("slurm-bridge "));
  EXPECT_EQ(call({"/scheduler", "--version=raw"}).print, call({"/scheduler", "--version"}).print);
  EXPECT_THAT(call({"/scheduler", "--help"}).print, HasSubstr("--leader-elect-resource-name"));
}

TEST_F(CommandLine, TheSchedulerTakesTheCommandLineOfTheReferencesChart) {
  const std::string kube_scheduler = folder + "slurm-bridge-settings-test-scheduler.yaml";
  write(kube_scheduler,
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
        "leaderElection: {leaderElect: true, resourceName: s, resourceNamespace: slinky}\n"
        "profiles: [{schedulerName: s}]\n");
  const std::vector<std::string> chart = {
      "/scheduler",
      "--config=" + kube_scheduler,
      "--feature-gates=DRAExtendedResource=true,DynamicResourceAllocation=true",
      "--v=4",
      "--bridge-config=" + config};
  const Command command = call(chart);
  ASSERT_TRUE(command.run) << command.print;
  EXPECT_EQ(command.settings.config.schedulerName, "s");
  EXPECT_EQ(command.settings.config.slurmRestApi, "http://127.0.0.1:6820");
  EXPECT_TRUE(command.settings.config.features.enableLeaderElection);
  EXPECT_THAT(command.settings.lease_names, ElementsAre("s"));
  EXPECT_EQ(command.settings.lease_namespace, "slinky");
  EXPECT_THAT(command.settings.warnings, ElementsAre(HasSubstr("--feature-gates is accepted")));

  EXPECT_EQ(command.settings.diagnostics.secure_address, ":10259");
  EXPECT_EQ(read({"scheduler"}).settings.diagnostics.secure_address, "0");
  EXPECT_EQ(read({"scheduler", "--secure-port=1", "--bind-address=::"})
                .settings.diagnostics.secure_address,
            "[::]:1");
  EXPECT_THAT(read({"scheduler", "--tls-cert-file=/a"}).print, HasSubstr("must be set together"));

  std::vector<std::string> more = chart;
  more.insert(more.end(),
              {"--secure-port=0",
               "--leader-elect=false",
               "--leader-elect-resource-name=t",
               "--leader-elect-lease-duration=30s"});
  const Command result = call(more);
  ASSERT_TRUE(result.run) << result.print;
  EXPECT_FALSE(result.settings.config.features.enableLeaderElection);
  EXPECT_THAT(result.settings.lease_names, ElementsAre("t"));
  EXPECT_EQ(result.settings.diagnostics.secure_address, "0");
  EXPECT_EQ(result.settings.lease_times.lease, std::chrono::seconds(30));
  EXPECT_THAT(read({"controllers", "--feature-gates=a=true"}).print, HasSubstr("unknown flag"));
}

TEST_F(CommandLine, AConfigurationIsCheckedStrictlyAndShownWithOrigins) {
  write(config, "slurmRestApi: http://a\nnodes: {cordon: false}\n");
  ::setenv("SLURM_REST_API", "http://b", 1);
  const Command fine = call({"slurm-bridge", "config", "check", config});
  EXPECT_EQ(fine.exit_code, 0) << fine.print;
  EXPECT_THAT(fine.print, HasSubstr("slurmRestApi: \"http://b\"  # SLURM_REST_API\n"));
  EXPECT_THAT(fine.print, HasSubstr("  cordon: false  # line 2\n"));
  EXPECT_THAT(fine.print, HasSubstr("  taint: true  # default\n"));
  EXPECT_THAT(fine.print, HasSubstr("Slurm token: not shown"));
  EXPECT_THAT(fine.print, Not(HasSubstr("token\n")));

  write(config, "slurmRestApi: http://a\nnodes: {cordn: false}\npartitio: a\n");
  const Command strict = call({"slurm-bridge", "config", "check", config});
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_THAT(strict.print,
              AllOf(HasSubstr("line 2: unknown key \"nodes.cordn\"; did you mean nodes.cordon?"),
                    HasSubstr(config + ": line 3: unknown key \"partitio\"")));

  ::unsetenv("SLURM_REST_API");
  write(config, "partition: a\n");
  EXPECT_THAT(call({"slurm-bridge", "config", "check", config}).print,
              HasSubstr("slurmRestApi is missing"));
  EXPECT_EQ(call({"slurm-bridge", "config", "check"}).exit_code, 2);
  EXPECT_EQ(call({"slurm-bridge", "config"}).exit_code, 2);
  EXPECT_THAT(call({"slurm-bridge", "config", "check", "/nowhere"}).print,
              HasSubstr("cannot read /nowhere"));
}

TEST_F(CommandLine, TheCheckReportsWhatAStartWouldReport) {
  const std::string base = "slurmRestApi: http://127.0.0.1:6820\n";
  const auto check = [this](std::vector<std::string> more) {
    more.insert(more.begin(), {"slurm-bridge", "config", "check", config});
    return call(more);
  };
  write(config, base + "features: {secureMetrics: true}\n");
  EXPECT_TRUE(read({"all"}).run);
  EXPECT_EQ(check({}).exit_code, 0);
  EXPECT_EQ(check({"--metrics-cert-path=/certs"}).exit_code, 0);

  // A cluster without TLS is not an error of the file, but is shown.
  write(config, "slurmRestApi: http://slurm-restapi.slurm:6820\n");
  const Command plain = check({});
  EXPECT_EQ(plain.exit_code, 0) << plain.print;
  EXPECT_THAT(plain.print, HasSubstr("# slurmRestApi http://slurm-restapi.slurm:6820 is plain"));

  write(config, base + "features: {enableHTTP2: true}\n");
  const Command warned = read({"all"});
  ASSERT_THAT(warned.settings.warnings, ElementsAre(HasSubstr("enableHTTP2")));
  const Command result = check({});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.print, HasSubstr(warned.settings.warnings.front()));

  // A missing token is a matter of the environment: shown, but not an error of the file.
  write(config, base);
  ::unsetenv("SLURM_JWT");
  EXPECT_FALSE(read({"all"}).run);
  const Command without = check({});
  EXPECT_EQ(without.exit_code, 0) << without.print;
  EXPECT_THAT(without.print, HasSubstr("Slurm token: none in this environment"));
}

TEST_F(CommandLine, AdmissionHasNoLeaderAndWarns) {
  const Command result = read({"admission", "--leader-elect"});
  ASSERT_TRUE(result.run) << result.print;
  EXPECT_THAT(result.settings.warnings, ElementsAre(HasSubstr("--leader-elect has no effect")));
  EXPECT_THAT(result.settings.lease_names, IsEmpty());
  write(config, "slurmRestApi: http://a\nfeatures: {enableLeaderElection: true}\n");
  EXPECT_THAT(read({"admission"}).settings.warnings, IsEmpty()) << "the file is for all roles";
}

TEST_F(CommandLine, TheLeaseToHoldCanBeNamed) {
  const Command one = read({"controllers", "--leader-elect", "--leader-election-id=mine"});
  ASSERT_TRUE(one.run) << one.print;
  EXPECT_THAT(one.settings.lease_names, ElementsAre("mine"));
  const Command two = read({"all",
                            "-leader-election-id",
                            "a",
                            "--leader-election-id=b",
                            "--leader-election-namespace=there"});
  ASSERT_TRUE(two.run) << two.print;
  EXPECT_THAT(two.settings.lease_names, ElementsAre("a", "b"));
  EXPECT_EQ(two.settings.lease_namespace, "there");
  EXPECT_THAT(read({"controllers"}).settings.lease_names,
              ElementsAre("69d5fe47.my.slinky.slurm.net"));
}

TEST_F(CommandLine, OnlyTheFileThatWasNamedIsRead) {
  const std::filesystem::path next = "/tmp/config.yaml.debug";  // where the reference looks then
  const bool ours = !std::filesystem::exists(next);
  if (ours) write(next, "slurmRestApi: http://127.0.0.1:6820\n");
  const Command command = call({"slurm-bridge", "scheduler", "--config=/nowhere/config.yaml"});
  if (ours) std::filesystem::remove(next);
  EXPECT_FALSE(command.run);
  EXPECT_NE(command.exit_code, 0);
  EXPECT_THAT(command.print, HasSubstr("cannot read /nowhere/config.yaml"));
}

TEST_F(CommandLine, ReleaseNodesHasFlagsOfItsOwnBesideThoseOfTheControllers) {
  const Command help = call({"slurm-bridge", "release-nodes", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* flag : {"slurm-bridge release-nodes",
                           "--yes",
                           "--unregister",
                           "--controllers-are-stopped",
                           "--leader-election-namespace"})
    EXPECT_THAT(help.print, HasSubstr(flag));
  EXPECT_THAT(call({"slurm-bridge", "controllers", "--help"}).print, Not(HasSubstr("--yes")));

  const Command plain = read({"release-nodes"});
  EXPECT_TRUE(plain.run && plain.subcommand == Subcommand::release_nodes);
  EXPECT_FALSE(plain.release.yes || plain.release.unregister ||
               plain.release.controllers_are_stopped);
  const Command result =
      read({"release-nodes", "--yes", "--leader-elect", "--controllers-are-stopped"});
  EXPECT_TRUE(result.release.yes && result.release.controllers_are_stopped);
  EXPECT_EQ(result.settings.role, Role::controllers);
  EXPECT_TRUE(result.settings.config.features.enableLeaderElection);
  EXPECT_TRUE(read({"plan-taints"}).subcommand == Subcommand::plan_taints);
  EXPECT_TRUE(read({"controllers"}).subcommand == Subcommand::run_role);
}

// docs/configuration.md is the reference for users.
TEST_F(CommandLine, EveryKeyFlagAndVariableIsDocumented) {
  const auto file = net::read_small_file(in_source_tree("docs/configuration.md"));
  ASSERT_TRUE(file.ok()) << file.error().message();
  for (const bridge::config::ConfigKey& key : bridge::config::config_keys())
    EXPECT_THAT(*file, HasSubstr("`" + std::string(key.path) + "`"));
  for (const char* name : {"SLURM_JWT",
                           "SLURM_JWT_FILE",
                           "SLURM_REST_API",
                           "SLURM_REST_API_CA_FILE",
                           "KUBECONFIG",
                           "NAMESPACE_SELECTOR"})
    EXPECT_THAT(*file, HasSubstr("`" + std::string(name) + "`"));
  for (const char* role : {"all", "scheduler", "controllers", "admission"}) {
    const std::string help = call({"slurm-bridge", role, "--help"}).print;
    const std::regex flag("--[a-z0-9-]+");
    for (std::sregex_iterator one(help.begin(), help.end(), flag), end; one != end; ++one)
      EXPECT_THAT(*file, HasSubstr("`" + one->str() + "`"));
  }
}

// Names in backticks in the first column of a section's table.
std::set<std::string> names_listed(const std::string& page, const std::string& section) {
  const auto from = page.find("\n## " + section + "\n");
  const std::string text = page.substr(from, page.find("\n## ", from + 1) - from);
  const std::regex row("\n\\| `([^`]+)` \\|");
  std::set<std::string> names;
  for (std::sregex_iterator one(text.begin(), text.end(), row), end; one != end; ++one)
    names.insert((*one)[1]);
  return names;
}

// Flags that --help describes; those that are accepted without effect are not among them.
std::set<std::string> flags_described(const std::string& help) {
  const std::string text = help.substr(0, help.find("\nAccepted for compatibility"));
  const std::regex flag("\n  (--[a-z0-9-]+)");
  std::set<std::string> flags;
  for (std::sregex_iterator one(text.begin(), text.end(), flag), end; one != end; ++one)
    flags.insert((*one)[1]);
  return flags;
}

TEST_F(CommandLine, EveryFlagKeyAndVariableIsAPublicName) {
  const auto page = net::read_small_file(in_source_tree("docs/public-names.md"));
  ASSERT_TRUE(page.ok()) << page.error().message();
  std::set<std::string> keys;
  for (const bridge::config::ConfigKey& key : bridge::config::config_keys()) keys.emplace(key.path);
  EXPECT_EQ(names_listed(*page, "Configuration keys"), keys);
  std::set<std::string> flags;
  for (const char* command : {"all", "scheduler", "controllers", "admission", "release-nodes"})
    flags.merge(flags_described(call({"slurm-bridge", command, "--help"}).print));
  flags.erase("--help");
  EXPECT_EQ(names_listed(*page, "Flags"), flags);
  const std::set<std::string> variables{"SLURM_JWT",
                                        "SLURM_JWT_FILE",
                                        "SLURM_REST_API",
                                        "SLURM_REST_API_CA_FILE",
                                        "KUBECONFIG",
                                        "NAMESPACE_SELECTOR"};
  EXPECT_EQ(names_listed(*page, "Environment variables"), variables);
}

}  // namespace
}  // namespace app
