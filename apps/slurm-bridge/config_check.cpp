// SPDX-License-Identifier: Apache-2.0
#include "config_check.h"

#include "base/flags.h"
#include "bridge/config/keys.h"
#include "bridge/config/kube_scheduler_config.h"
#include "net/files/small_file.h"
#include "slurm_link.h"

#include <fmt/format.h>

namespace app {
namespace {

using base::Result;

constexpr std::string_view kUsage = "slurm-bridge config check FILE [--metrics-cert-path FOLDER]";

std::string about_the_token() {
  if (const std::string file = environment("SLURM_JWT_FILE"); !file.empty())
    return fmt::format("# Slurm token: from {}  # SLURM_JWT_FILE\n", file);
  if (!environment("SLURM_JWT").empty()) return "# Slurm token: not shown  # SLURM_JWT\n";
  return "# Slurm token: none in this environment (SLURM_JWT_FILE, SLURM_JWT)\n";
}

// Shown, but not an error of the file: there are clusters without TLS.
std::string about_the_way_to_slurm(const bridge::config::Config& config) {
  std::string lines;
  for (const std::string& remark : remarks_on_slurm_link(config))
    lines.append("# ").append(remark).append("\n");
  return lines;
}

// `diagnostics` has the values of flags that a start would combine with the file.
Result<std::string> check(const std::string& path, DiagnosticsSettings diagnostics) {
  TRY(const std::string text, net::read_small_file(path));
  const auto invalid = [&path](std::string_view message) {
    return base::Error(base::Kind::invalid, fmt::format("{}: {}", path, message));
  };
  const auto foreign = bridge::config::parse_kube_scheduler_config(text);
  if (foreign.ok() && foreign->has_value())
    return invalid("this is a KubeSchedulerConfiguration; check the shared file instead");
  const auto config = bridge::config::parse_config(text, environment_overrides());
  if (!config.ok()) return invalid(config.error().message());
  std::vector<std::string> warnings = config->warnings;
  for (std::string& remark : remarks_on(config->features)) warnings.push_back(std::move(remark));
  std::string wrong;
  for (const std::string& warning : warnings)
    wrong.append(wrong.empty() ? "" : "\n" + path + ": ").append(warning);
  if (!wrong.empty()) return invalid(wrong);
  if (config->slurmRestApi.empty())
    return invalid(
        "slurmRestApi is missing; write the address of slurmrestd, such as "
        "http://slurm-restapi.slurm:6820");
  diagnostics.metrics_secure = config->features.secureMetrics;
  if (const auto fine = check_diagnostics(diagnostics); !fine.ok())
    return invalid(fine.error().message());
  return bridge::config::show(*config) + about_the_token() + about_the_way_to_slurm(*config);
}

}  // namespace

Command config_command(std::span<const std::string_view> arguments) {
  if (arguments.empty() || arguments.front() != "check")
    return Command::exit_with(2, fmt::format("usage: {}\n", kUsage));
  std::string path;
  base::Flags flags("slurm-bridge config check",
                    "Reads a configuration strictly and shows what results.");
  flags.argument("FILE", &path, "the configuration file");
  DiagnosticsSettings diagnostics;
  flags.add("metrics-cert-path",
            &diagnostics.metrics_cert_path,
            "as passed to the bridge, for features.secureMetrics");
  const auto outcome = flags.parse(arguments.subspan(1));
  if (!outcome.ok())
    return Command::exit_with(
        2, fmt::format("slurm-bridge config check: {}\n", outcome.error().message()));
  if (outcome->help_asked) return Command::exit_with(0, flags.help());
  const auto shown = check(path, diagnostics);
  if (!shown.ok()) return Command::exit_with(1, shown.error().message() + "\n");
  return Command::exit_with(0, *shown);
}

}  // namespace app
