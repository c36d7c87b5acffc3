// SPDX-License-Identifier: Apache-2.0
#include "settings.h"

#include "base/flags.h"

#include <fmt/format.h>

namespace sandbox {
namespace {

constexpr std::int32_t kMostNodes = 999;
constexpr std::int32_t kMostPort = 65535;

Command exit_with(int code, std::string text) {
  Command command;
  command.exit_code = code;
  command.print = std::move(text);
  return command;
}

bool is_port(std::int32_t number) {
  return number >= 0 && number <= kMostPort;
}

}  // namespace

Command read_command_line(int argc, const char* const* argv) {
  Command command;
  Settings& settings = command.settings;
  base::Flags flags("slurm-bridge-sandbox",
                    "Models of Kubernetes and Slurm on loopback, to try slurm-bridge against. "
                    "Not a real Kubernetes, not a real Slurm.");
  flags.add("dir",
            &settings.folder,
            "where kubeconfig, slurm-bridge.yaml and slurm.jwt are written; created if missing");
  flags.add("nodes", &settings.nodes, "the number of simulated nodes");
  flags.add("kube-port", &settings.kube_port, "of the model of Kubernetes; 0: any free port");
  flags.add("slurm-port", &settings.slurm_port, "of the model of Slurm; 0: any free port");
  const auto outcome = flags.parse(argc, argv);
  if (!outcome.ok())
    return exit_with(2, fmt::format("slurm-bridge-sandbox: {}\n", outcome.error().message()));
  if (outcome->help_asked) return exit_with(0, flags.help());
  if (settings.nodes < 1 || settings.nodes > kMostNodes)
    return exit_with(2, fmt::format("slurm-bridge-sandbox: --nodes is 1 to {}\n", kMostNodes));
  if (!is_port(settings.kube_port) || !is_port(settings.slurm_port))
    return exit_with(2, fmt::format("slurm-bridge-sandbox: a port is 0 to {}\n", kMostPort));
  command.run = true;
  return command;
}

}  // namespace sandbox
