// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"
#include "net/async/task_group.h"
#include "net/process/os_signals.h"
#include "sandbox.h"
#include "settings.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

namespace sandbox {
namespace {

constexpr std::string_view kBanner = R"(
  SANDBOX   These are MODELS: not a real Kubernetes, not a real Slurm.
            No container runs, nothing is kept, nobody is authenticated.

  Kubernetes model  http://127.0.0.1:{0}    {2} played nodes, namespace slurm-bridge
  Slurm model       http://127.0.0.1:{1}    its queue: curl http://127.0.0.1:{1}/squeue
  kubeconfig        {3}/kubeconfig

  In other shells, after:  . {3}/env
    slurm-bridge all --config {3}/slurm-bridge.yaml
    kubectl create -f examples/pod.yaml

)";

void write_line(std::string_view line) {
  (void)std::fwrite(line.data(), 1, line.size(), stderr);
}

void show_banner(const Settings& settings, Ports ports) {
  const std::string folder = std::filesystem::absolute(settings.folder).lexically_normal();
  const std::string text = fmt::format(kBanner, ports.kube, ports.slurm, settings.nodes, folder);
  (void)std::fputs(text.c_str(), stdout);
  (void)std::fflush(stdout);
}

net::Task<void> run_until_stopped(net::Loop& loop, Sandbox& sandbox) {
  net::TaskGroup waiting(loop);
  waiting.spawn("signals", [&]() -> net::Task<void> {
    if (co_await net::wait_for_stop_signal(loop) != 0) sandbox.stop();
  });
  co_await sandbox.run();
  waiting.cancel();
  co_await waiting.join();
}

int run(const Settings& settings) {
  base::RealClock clock;
  net::Loop loop(clock);
  base::Log log(write_line, clock, base::LogFormat::human, base::LogLevel::warn);
  Sandbox sandbox(loop, settings, log);
  forget_files(settings.folder);
  const auto ports = sandbox.listen();
  net::TaskGroup root(loop);
  root.spawn("sandbox", run_until_stopped(loop, sandbox));
  auto written =
      ports.ok() ? write_files(settings.folder, *ports) : base::Result<void>(ports.error());
  if (written.ok()) {
    show_banner(settings, *ports);
  } else {
    (void)std::fprintf(stderr, "slurm-bridge-sandbox: %s\n", written.error().message().c_str());
    sandbox.stop();
  }
  loop.run();
  return written.ok() ? 0 : 1;
}

}  // namespace
}  // namespace sandbox

int main(int argc, char** argv) {
  const sandbox::Command command = sandbox::read_command_line(argc, argv);
  if (command.run) return sandbox::run(command.settings);
  (void)std::fputs(command.print.c_str(), command.exit_code == 0 ? stdout : stderr);
  return command.exit_code;
}
