// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include "version.h"

#include <fmt/format.h>

#include <span>
#include <utility>

namespace operator_app {
namespace {

constexpr std::string_view kUsage =
    "slurm-operator: Slurm clusters in Kubernetes from one resource\n"
    "\n"
    "  slurm-operator [manager]     keeps SlurmClusters in their desired state\n"
    "  slurm-operator config-agent  checks and activates configuration beside slurmctld\n"
    "  slurm-operator version\n"
    "\n"
    "slurm-operator manager --help lists the flags.\n";

Command exit_with(int code, std::string text) {
  Command command;
  command.exit_code = code;
  command.print = std::move(text);
  return command;
}

Command manager_command(std::span<const std::string_view> arguments,
                        const ProcessEnvironment& process) {
  Command command;
  base::Flags flags("slurm-operator manager", "Keeps SlurmClusters in their desired state.");
  add_flags(flags, command.settings);
  const auto parsed = flags.parse(arguments);
  if (!parsed.ok())
    return exit_with(2, fmt::format("slurm-operator manager: {}\n", parsed.error().message()));
  if (parsed->help_asked) return exit_with(0, flags.help());
  if (const auto done = complete(command.settings, process); !done.ok())
    return exit_with(2, fmt::format("slurm-operator manager: {}\n", done.error().message()));
  command.run = true;
  return command;
}

Command agent_command(std::span<const std::string_view> arguments) {
  Command command;
  command.subcommand = Subcommand::config_agent;
  base::Flags flags("slurm-operator config-agent",
                    "Checks new configuration with Slurm's own programs and activates it.");
  slurmop::agent::add_flags(flags, command.agent);
  const auto parsed = flags.parse(arguments);
  if (!parsed.ok())
    return exit_with(2, fmt::format("slurm-operator config-agent: {}\n", parsed.error().message()));
  if (parsed->help_asked) return exit_with(0, flags.help());
  command.run = true;
  return command;
}

}  // namespace

Command read_command_line(const std::vector<std::string_view>& all,
                          const ProcessEnvironment& process) {
  const std::span<const std::string_view> arguments = std::span(all).subspan(all.empty() ? 0 : 1);
  if (arguments.empty() || arguments.front().starts_with('-'))
    return manager_command(arguments, process);
  const std::string_view word = arguments.front();
  if (word == "manager") return manager_command(arguments.subspan(1), process);
  if (word == "config-agent") return agent_command(arguments.subspan(1));
  if (word == "version") return exit_with(0, fmt::format("slurm-operator {}\n", app::kVersion));
  if (word == "help") return exit_with(0, std::string(kUsage));
  return exit_with(2, fmt::format("slurm-operator: unknown command {:?}\n\n{}", word, kUsage));
}

}  // namespace operator_app
