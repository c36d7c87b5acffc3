// SPDX-License-Identifier: Apache-2.0
#include "base/base64.h"
#include "kube/auth/kubeconfig_entry.h"
#include "kube/auth/yaml_json.h"

#include <fmt/format.h>

namespace kube::inline auth {

using base::Error;
using base::Kind;
using base::Result;

namespace {

// The cluster information for the plugin, including its extension.
Result<json::Object> cluster_info(const KubeconfigEntry& cluster, const ClusterConfig& config) {
  json::Object info{{"server", config.server}};
  if (!config.tls_server_name.empty()) info.set("tls-server-name", config.tls_server_name);
  if (config.insecure_skip_tls_verify) info.set("insecure-skip-tls-verify", true);
  if (!config.ca_pem.empty())
    info.set("certificate-authority-data", base::encode_base64(config.ca_pem));
  TRY(const auto extensions, cluster.list("extensions"));
  for (const YAML::Node& extension : extensions) {
    if (!extension.IsMap() || !extension["name"].IsDefined() || !extension["name"].IsScalar())
      continue;
    if (extension["name"].Scalar() == "client.authentication.k8s.io/exec")
      info.set("config", json_of(extension["extension"]));
  }
  return info;
}

Result<void> check_mode(const KubeconfigEntry& exec, const ExecSpec& spec) {
  TRY(const std::string mode, exec.text("interactiveMode"));
  if (mode.empty() && spec.api_version == kExecV1)
    return exec.wrong("interactiveMode", "missing; write Never or IfAvailable");
  if (mode == "Always") {
    return exec.wrong("interactiveMode",
                      "Always needs a terminal, which a daemon does not have; use credentials "
                      "that need no interaction");
  }
  if (!mode.empty() && mode != "Never" && mode != "IfAvailable")
    return exec.wrong("interactiveMode", "unknown; write Never or IfAvailable");
  return {};
}

Result<void> read_args(const KubeconfigEntry& exec, ExecSpec& spec) {
  TRY(const auto args, exec.list("args"));
  for (const YAML::Node& arg : args) {
    if (!arg.IsScalar()) return exec.wrong("args", "not a list of texts; write one text per item");
    spec.args.push_back(arg.Scalar());
  }
  TRY(const auto variables, exec.list("env"));
  for (const YAML::Node& variable : variables) {
    const auto is_text = [&](const char* member) {
      return variable.IsMap() && variable[member].IsDefined() && variable[member].IsScalar();
    };
    if (!is_text("name") || !is_text("value") || variable["name"].Scalar().empty())
      return exec.wrong("env", "an item without name and value; write {name: N, value: V}");
    spec.environment.push_back(variable["name"].Scalar() + "=" + variable["value"].Scalar());
  }
  return {};
}

}  // namespace

Result<std::optional<ExecSpec>> read_exec(const KubeconfigEntry& user,
                                          const KubeconfigEntry& cluster,
                                          const ClusterConfig& config) {
  if (!user.has("exec")) return std::optional<ExecSpec>();
  TRY(const KubeconfigEntry exec, user.map("exec"));
  ExecSpec spec;
  TRY(spec.api_version, exec.text("apiVersion"));
  if (spec.api_version != kExecV1 && spec.api_version != kExecV1Beta1) {
    return exec.wrong(
        "apiVersion",
        fmt::format(
            "{:?} is not supported; write {} or {}", spec.api_version, kExecV1, kExecV1Beta1));
  }
  TRY(spec.command, exec.text("command"));
  if (spec.command.empty()) return exec.wrong("command", "missing; write the program to run");
  // A bare name is looked up in PATH.
  if (spec.command.contains('/')) spec.command = exec.beside(spec.command);
  TRY_VOID(check_mode(exec, spec));
  TRY_VOID(read_args(exec, spec));
  TRY(spec.install_hint, exec.text("installHint"));
  TRY(const bool provide_cluster_info, exec.flag("provideClusterInfo"));
  if (provide_cluster_info) {
    TRY(spec.cluster, cluster_info(cluster, config));
  }
  return std::optional(std::move(spec));
}

}  // namespace kube::inline auth
