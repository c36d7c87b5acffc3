// SPDX-License-Identifier: Apache-2.0
#include "files.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace sandbox {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKubeconfig = R"(# SANDBOX: a model, not a real Kubernetes.
apiVersion: v1
kind: Config
current-context: slurm-bridge-sandbox
clusters:
- name: slurm-bridge-sandbox
  cluster: {{server: "http://127.0.0.1:{}"}}
users:
- name: slurm-bridge-sandbox
  user: {{}}
contexts:
- name: slurm-bridge-sandbox
  context: {{cluster: slurm-bridge-sandbox, user: slurm-bridge-sandbox, namespace: slurm-bridge}}
)";

constexpr std::string_view kBridge = R"(# SANDBOX: models, not a real Kubernetes or Slurm.
schedulerName: slurm-bridge-scheduler
slurmRestApi: http://127.0.0.1:{}
managedNamespaces: [slurm-bridge]
mcsLabel: kubernetes
partition: slurm-bridge
)";

// {"alg":"none"} . {"sun":"slurm","iss":"sandbox"} . no signature: the model only checks that there
// is a token.
constexpr std::string_view kToken =
    "eyJhbGciOiJub25lIn0.eyJzdW4iOiJzbHVybSIsImlzcyI6InNhbmRib3gifQ.sandbox\n";

std::string quoted(const std::string& text) {
  std::string all = "'";
  for (const char c : text) all += c == '\'' ? "'\\''" : std::string(1, c);
  return all + "'";
}

base::Result<void> write_file(const fs::path& path, std::string_view text) {
  std::ofstream out(path, std::ios::trunc);
  out << text << std::flush;
  if (out.good()) return {};
  return base::Error(base::Kind::invalid, fmt::format("{}: cannot be written", path.string()));
}

}  // namespace

base::Result<void> write_files(const std::string& folder, Ports ports) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    return base::Error(base::Kind::invalid, fmt::format("{}: {}", folder, failed.message()));
  const fs::path here = fs::absolute(folder);
  const fs::path kubeconfig = here / "kubeconfig";
  const fs::path unfinished = here / "kubeconfig.new";
  TRY_VOID(write_file(here / "slurm-bridge.yaml", fmt::format(kBridge, ports.slurm)));
  TRY_VOID(write_file(here / "slurm.jwt", kToken));
  TRY_VOID(write_file(here / "env",
                      fmt::format("export KUBECONFIG={}\nexport SLURM_JWT_FILE={}\n",
                                  quoted(kubeconfig.string()),
                                  quoted((here / "slurm.jwt").string()))));
  TRY_VOID(write_file(unfinished, fmt::format(kKubeconfig, ports.kube)));
  fs::rename(unfinished, kubeconfig, failed);
  if (failed) {
    return base::Error(base::Kind::invalid,
                       fmt::format("{}: {}", kubeconfig.string(), failed.message()));
  }
  return {};
}

void forget_files(const std::string& folder) {
  std::error_code ignored;
  fs::remove(fs::path(folder) / "kubeconfig", ignored);
}

}  // namespace sandbox
