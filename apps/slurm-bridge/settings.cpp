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
using Words = std::span<const std::string_view>;

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
Result<void> take_kube_scheduler_file(Settings& settings, Told& told) {
  if (settings.role != Role::scheduler) return {};
  TRY(const std::string text, net::read_small_file(told.config_path));
  auto parsed = bridge::config::parse_kube_scheduler_config(text);
  if (!parsed.ok()) return std::move(parsed).error().in(told.config_path);
  if (!parsed->has_value()) return {};
  bridge::config::KubeSchedulerConfig& file = **parsed;
  settings.config_path = told.bridge_config_path;
  if (!told.secure_port) told.secure_port = kKubeSchedulerPort;
  settings.overrides = {
      {"schedulerName", file.schedulerName, told.config_path},
      {"features.enableLeaderElection", file.leaderElect ? "true" : "false", told.config_path}};
  settings.lease_names = {file.resourceName};
  settings.lease_namespace = file.resourceNamespace;
  settings.lease_times = file.times;
  settings.kubeconfig = file.kubeconfig;
  for (const std::string& warning : file.warnings)
    settings.warnings.push_back(fmt::format("{}: {}", told.config_path, warning));
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

Result<void> take_flags(Settings& settings, Told& told) {
  if (told.zap_devel) settings.overrides.push_back({"logLevel", "debug", "--zap-devel"});
  append(settings.overrides, std::move(told.overrides));
  settings.log_format =
      told.log_format.value_or(told.zap_devel ? base::LogFormat::human : base::LogFormat::json);
  if (!told.kubeconfig.empty()) settings.kubeconfig = told.kubeconfig;
  if (!told.lease_names.empty()) settings.lease_names = told.lease_names;
  if (!told.lease_namespace.empty()) settings.lease_namespace = told.lease_namespace;
  kube::ElectionTimes& times = settings.lease_times;
  if (told.lease_duration)
    times.lease = std::chrono::duration_cast<std::chrono::seconds>(*told.lease_duration);
  times.renew_deadline = told.renew_deadline.value_or(times.renew_deadline);
  times.retry = told.retry_period.value_or(times.retry);
  if (auto fine = kube::check(times); !fine.ok())
    return std::move(fine).error().in("--leader-elect-lease-duration and related flags");
  settings.diagnostics = told.diagnostics;
  settings.webhook = told.webhook;
  if (told.secure_port.value_or(0) != 0)
    settings.diagnostics.secure_address = listen_address(told.bind_address, *told.secure_port);
  settings.pod_workers = static_cast<std::size_t>(told.pod_workers);
  settings.node_workers = static_cast<std::size_t>(told.node_workers);
  for (std::string& warning : told.warnings) settings.warnings.push_back(std::move(warning));
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
Result<Settings> gather(Role role, Told& told) {
  Settings settings;
  settings.role = role;
  settings.config_path = told.config_path;
  TRY_VOID(take_kube_scheduler_file(settings, told));
  take_environment(settings);
  TRY_VOID(take_flags(settings, told));
  TRY_VOID(take_config(settings));
  if (bridge::process::uses_slurm(role)) TRY_VOID(check_way_to_slurm(settings));
  return settings;
}

struct DeedEntry {
  std::string_view word;
  Deed deed;
  std::string_view summary;
};

constexpr auto kDeeds = std::to_array<DeedEntry>({
    {"plan-taints",
     Deed::plan_taints,
     "Lists the running pods that the nodes' taint would evict. Takes the flags of the "
     "controllers."},
    {"release-nodes",
     Deed::release_nodes,
     "Lists the drains, cordons and taints on the nodes that are ours, and removes them. Takes the "
     "flags of the controllers too."},
});

const DeedEntry* deed_named(std::string_view word) {
  const auto found = std::ranges::find(kDeeds, word, &DeedEntry::word);
  return found == kDeeds.end() ? nullptr : &*found;
}

void add_release_flags(base::Flags& flags, ReleaseFlags& release) {
  flags.add("yes", &release.yes, "make the changes; without it nothing is changed");
  flags.add(
      "unregister", &release.unregister, "also remove the idle nodes that we registered in Slurm");
  flags.add("controllers-are-stopped",
            &release.controllers_are_stopped,
            "states that no controllers run, where no Lease shows it");
}

// `deed` is nullptr for the role itself.
Command role_command(Role role, Words words, const DeedEntry* deed = nullptr) {
  const std::string program =
      fmt::format("slurm-bridge {}", deed != nullptr ? deed->word : name(role));
  Command command;
  command.deed = deed != nullptr ? deed->deed : Deed::run_role;
  Told told;
  base::Flags flags(
      program,
      std::string(deed != nullptr ? deed->summary : "Kubernetes pods scheduled by Slurm."));
  if (command.deed == Deed::release_nodes) add_release_flags(flags, command.release);
  add_flags(flags, role, told);
  const auto outcome = flags.parse(words);
  if (!outcome.ok())
    return Command::leave(2, fmt::format("{}: {}\n", program, outcome.error().message()));
  if (outcome->help_asked) return Command::leave(0, flags.help());
  if (told.version) return Command::leave(0, version());
  told.warnings.insert(told.warnings.begin(), outcome->warnings.begin(), outcome->warnings.end());

  auto settings = gather(role, told);
  if (!settings.ok())
    return Command::leave(1, fmt::format("slurm-bridge: {}\n", settings.error().message()));
  if (const auto fine = check_diagnostics(settings->diagnostics); !fine.ok())
    return Command::leave(2, fmt::format("{}: {}\n", program, fine.error().message()));
  command.settings = *std::move(settings);
  command.run = true;
  return command;
}

}  // namespace

Command Command::leave(int code, std::string text) {
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
  if (all.empty()) return Command::leave(2, usage());
  if (const std::optional<Role> role = role_of_program(all.front()))
    return role_command(*role, Words(all).subspan(1));
  if (all.size() < 2) return Command::leave(2, usage());
  const std::string_view word = all[1];
  const Words rest = Words(all).subspan(2);
  if (word == "version" || word == "--version") return Command::leave(0, version());
  if (word == "help" || word == "--help" || word == "-h") return Command::leave(0, usage());
  if (word == "config") return config_command(rest);
  if (const std::optional<Role> role = role_named(word)) return role_command(*role, rest);
  if (const DeedEntry* deed = deed_named(word); deed != nullptr)
    return role_command(Role::controllers, rest, deed);
  return Command::leave(2, fmt::format("slurm-bridge: unknown command {:?}\n\n{}", word, usage()));
}

}  // namespace app
