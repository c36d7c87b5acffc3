// SPDX-License-Identifier: Apache-2.0
#include "settings.h"

#include "base/flags.h"
#include "bridge/config/kube_scheduler_config.h"
#include "config_check.h"
#include "net/files/small_file.h"
#include "role_flags.h"
#include "version.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string_view>

namespace app {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using bridge::config::ConfigOverride;
using Arguments = std::span<const std::string_view>;

constexpr std::uint16_t kKubeSchedulerPort = 10259;

constexpr std::string_view kUsage =
    "slurm-bridge: Kubernetes pods scheduled by Slurm\n"
    "\n"
    "{}"
    "  slurm-bridge config check FILE  reads a configuration strictly and shows what results\n"
    "  slurm-bridge plan-taints        lists the running pods that the nodes' taint would evict\n"
    "  slurm-bridge release-nodes      lists the drains, cordons and taints that are ours; --yes "
    "removes "
    "them,\n"
    "                                  --unregister also removes the nodes that we registered\n"
    "  slurm-bridge version\n"
    "\n"
    "slurm-bridge ROLE --help lists the flags of a role. A link with a role's name runs that "
    "role.\n";

std::string usage() {
  return fmt::format(kUsage, describe_roles());
}

std::string version() {
  return fmt::format("slurm-bridge {}\n", kVersion);
}

// The Leases of SlinkyProject/slurm-bridge, so that its processes and ours exclude each other
// during a switch.
std::vector<std::string> reference_leases(Role role, const std::string& scheduler_name) {
  const bridge::process::RoleParts parts = bridge::process::parts_of(role);
  std::vector<std::string> leases;  // none for admission: any number of webhooks may answer
  if (parts.scheduler) leases.push_back(scheduler_name);
  if (parts.controllers) leases.emplace_back("69d5fe47.my.slinky.slurm.net");
  return leases;
}

void append(std::vector<ConfigOverride>& all, std::vector<ConfigOverride> more) {
  for (ConfigOverride& one : more) all.push_back(std::move(one));
}

// If --config names a KubeSchedulerConfiguration, reads its values; our configuration file is then
// another one.
Result<void> take_kube_scheduler_file(Settings& settings, ParsedFlags& values) {
  if (settings.role != Role::scheduler) return {};
  TRY(const std::string text, net::read_small_file(values.config_path));
  auto parsed = bridge::config::parse_kube_scheduler_config(text);
  if (!parsed.ok()) return std::move(parsed).error().in(values.config_path);
  if (!parsed->has_value()) return {};
  bridge::config::KubeSchedulerConfig& file = **parsed;
  settings.config_path = values.bridge_config_path;
  if (!values.secure_port) values.secure_port = kKubeSchedulerPort;
  settings.overrides = {
      {"schedulerName", file.schedulerName, values.config_path},
      {"features.enableLeaderElection", file.leaderElect ? "true" : "false", values.config_path}};
  settings.lease_names = {file.resourceName};
  settings.lease_namespace = file.resourceNamespace;
  settings.lease_times = file.times;
  settings.kubeconfig = file.kubeconfig;
  for (const std::string& warning : file.warnings)
    settings.warnings.push_back(fmt::format("{}: {}", values.config_path, warning));
  return {};
}

std::string listen_address(const std::string& host, std::int32_t port) {
  return host.contains(':') ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

void take_environment(Settings& settings) {
  append(settings.overrides, environment_overrides());
  settings.slurm_jwt_file = environment("SLURM_JWT_FILE");
  settings.slurm_jwt = environment("SLURM_JWT");
  if (std::string kubeconfig = environment("KUBECONFIG"); !kubeconfig.empty())
    settings.kubeconfig = std::move(kubeconfig);
}

Result<void> take_flags(Settings& settings, ParsedFlags& values) {
  if (values.zap_devel) settings.overrides.push_back({"logLevel", "debug", "--zap-devel"});
  append(settings.overrides, std::move(values.overrides));
  settings.log_format =
      values.log_format.value_or(values.zap_devel ? base::LogFormat::human : base::LogFormat::json);
  if (!values.kubeconfig.empty()) settings.kubeconfig = values.kubeconfig;
  if (!values.lease_names.empty()) settings.lease_names = values.lease_names;
  if (!values.lease_namespace.empty()) settings.lease_namespace = values.lease_namespace;
  kube::ElectionTimes& times = settings.lease_times;
  if (values.lease_duration)
    times.lease = std::chrono::duration_cast<std::chrono::seconds>(*values.lease_duration);
  times.renew_deadline = values.renew_deadline.value_or(times.renew_deadline);
  times.retry = values.retry_period.value_or(times.retry);
  if (auto fine = kube::check(times); !fine.ok())
    return std::move(fine).error().in("--leader-elect-lease-duration and related flags");
  settings.diagnostics = values.diagnostics;
  settings.webhook = values.webhook;
  if (values.secure_port.value_or(0) != 0)
    settings.diagnostics.secure_address = listen_address(values.bind_address, *values.secure_port);
  settings.pod_workers = static_cast<std::size_t>(values.pod_workers);
  settings.node_workers = static_cast<std::size_t>(values.node_workers);
  for (std::string& warning : values.warnings) settings.warnings.push_back(std::move(warning));
  return {};
}

Result<void> check_way_to_slurm(const Settings& settings) {
  if (settings.config.slurmRestApi.empty())
    return Error(Kind::invalid,
                 settings.config_path +
                     ": slurmRestApi is missing; write the address of slurmrestd, such as "
                     "http://slurm-restapi.slurm:6820");
  if (settings.slurm_jwt_file.empty() && settings.slurm_jwt.empty())
    return Error(Kind::invalid,
                 "no Slurm token: set SLURM_JWT_FILE to a file with a token of SlurmUser "
                 "(scontrol token username=slurm)");
  return {};
}

Result<void> take_config(Settings& settings) {
  TRY(settings.config, bridge::config::load_config(settings.config_path, settings.overrides));
  for (const std::string& warning : settings.config.warnings)
    settings.warnings.push_back(fmt::format("{}: {}", settings.config_path, warning));
  const bridge::config::Features& features = settings.config.features;
  settings.diagnostics.metrics_secure = features.secureMetrics;
  for (std::string& remark : remarks_on(features)) settings.warnings.push_back(std::move(remark));
  // In the shared file the key is for the other roles.
  const auto asked = settings.config.origins.find("features.enableLeaderElection");
  if (!bridge::process::uses_slurm(settings.role) && features.enableLeaderElection &&
      asked != settings.config.origins.end() && asked->second == "--leader-elect")
    settings.warnings.push_back(
        "--leader-elect has no effect: any number of admission processes may answer at once");
  if (settings.lease_names.empty())
    settings.lease_names = reference_leases(settings.role, settings.config.schedulerName);
  return {};
}

// Flags override the environment, which overrides the file.
Result<Settings> gather(Role role, ParsedFlags& values) {
  Settings settings;
  settings.role = role;
  settings.config_path = values.config_path;
  TRY_VOID(take_kube_scheduler_file(settings, values));
  take_environment(settings);
  TRY_VOID(take_flags(settings, values));
  TRY_VOID(take_config(settings));
  if (bridge::process::uses_slurm(role)) TRY_VOID(check_way_to_slurm(settings));
  return settings;
}

struct SubcommandEntry {
  std::string_view name;
  Subcommand subcommand;
  std::string_view summary;
};

constexpr auto kSubcommands = std::to_array<SubcommandEntry>({
    {"plan-taints",
     Subcommand::plan_taints,
     "Lists the running pods that the nodes' taint would evict. Takes the flags of the "
     "controllers."},
    {"release-nodes",
     Subcommand::release_nodes,
     "Lists the drains, cordons and taints on the nodes that are ours, and removes them. Takes the "
     "flags of the controllers too."},
});

const SubcommandEntry* subcommand_named(std::string_view name) {
  const auto found = std::ranges::find(kSubcommands, name, &SubcommandEntry::name);
  return found == kSubcommands.end() ? nullptr : &*found;
}

void add_release_flags(base::Flags& flags, ReleaseFlags& release) {
  flags.add("yes", &release.yes, "make the changes; without it nothing is changed");
  flags.add(
      "unregister", &release.unregister, "also remove the idle nodes that we registered in Slurm");
  flags.add("controllers-are-stopped",
            &release.controllers_are_stopped,
            "states that no controllers run, where no Lease shows it");
}

// `subcommand` is nullptr for the role itself.
Command role_command(Role role, Arguments arguments, const SubcommandEntry* subcommand = nullptr) {
  const std::string program =
      fmt::format("slurm-bridge {}", subcommand != nullptr ? subcommand->name : name(role));
  Command command;
  command.subcommand = subcommand != nullptr ? subcommand->subcommand : Subcommand::run_role;
  ParsedFlags values;
  base::Flags flags(program,
                    std::string(subcommand != nullptr ? subcommand->summary
                                                      : "Kubernetes pods scheduled by Slurm."));
  if (command.subcommand == Subcommand::release_nodes) add_release_flags(flags, command.release);
  add_flags(flags, role, values);
  const auto outcome = flags.parse(arguments);
  if (!outcome.ok())
    return Command::exit_with(2, fmt::format("{}: {}\n", program, outcome.error().message()));
  if (outcome->help_asked) return Command::exit_with(0, flags.help());
  if (values.version) return Command::exit_with(0, version());
  values.warnings.insert(
      values.warnings.begin(), outcome->warnings.begin(), outcome->warnings.end());

  auto settings = gather(role, values);
  if (!settings.ok())
    return Command::exit_with(1, fmt::format("slurm-bridge: {}\n", settings.error().message()));
  if (const auto fine = check_diagnostics(settings->diagnostics); !fine.ok())
    return Command::exit_with(2, fmt::format("{}: {}\n", program, fine.error().message()));
  command.settings = *std::move(settings);
  command.run = true;
  return command;
}

}  // namespace

Command Command::exit_with(int code, std::string text) {
  Command command;
  command.exit_code = code;
  command.print = std::move(text);
  return command;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::vector<ConfigOverride> environment_overrides() {
  std::vector<ConfigOverride> overrides;
  const auto take = [&](const char* name, std::string_view path) {
    if (std::string value = environment(name); !value.empty())
      overrides.push_back({path, std::move(value), name});
  };
  take("SLURM_REST_API", "slurmRestApi");
  take("SLURM_REST_API_CA_FILE", "slurmRestApiCaFile");
  take("NAMESPACE_SELECTOR", "managedNamespaceSelector");
  return overrides;
}

Result<void> check_diagnostics(const DiagnosticsSettings& diagnostics) {
  if (diagnostics.tls_cert_file.empty() != diagnostics.tls_key_file.empty())
    return Error(Kind::invalid, "--tls-cert-file and --tls-private-key-file must be set together");
  return {};
}

std::vector<std::string> remarks_on(const bridge::config::Features& features) {
  if (!features.enableHTTP2) return {};
  return {"--enable-http2: HTTP/1.1 is served; there is no HTTP/2 here (features.enableHTTP2)"};
}

Command read_command_line(int argc, const char* const* argv) {
  const std::vector<std::string_view> all(argv, argv + argc);
  if (all.empty()) return Command::exit_with(2, usage());
  if (const std::optional<Role> role = role_of_program(all.front()))
    return role_command(*role, Arguments(all).subspan(1));
  if (all.size() < 2) return Command::exit_with(2, usage());
  const std::string_view argument = all[1];
  const Arguments rest = Arguments(all).subspan(2);
  if (argument == "version" || argument == "--version") return Command::exit_with(0, version());
  if (argument == "help" || argument == "--help" || argument == "-h")
    return Command::exit_with(0, usage());
  if (argument == "config") return config_command(rest);
  if (const std::optional<Role> role = role_named(argument)) return role_command(*role, rest);
  if (const SubcommandEntry* subcommand = subcommand_named(argument); subcommand != nullptr)
    return role_command(Role::controllers, rest, subcommand);
  return Command::exit_with(
      2, fmt::format("slurm-bridge: unknown command {:?}\n\n{}", argument, usage()));
}

}  // namespace app
