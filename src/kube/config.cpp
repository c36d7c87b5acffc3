// SPDX-License-Identifier: Apache-2.0
#include "kube/config.h"

#include "base/base64.h"
#include "kube/file.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace kube {
namespace {

using base::Error;
using base::Kind;
using base::Result;

// A node that is not defined where there is no such member; yaml-cpp throws for scalars and absent
// parents.
YAML::Node member(const YAML::Node& node, const std::string& key) {
  if (node.IsDefined() && node.IsMap()) return node[key];
  return YAML::Node(YAML::NodeType::Undefined);
}

std::string text_of(const YAML::Node& node) {
  return node.IsDefined() && node.IsScalar() ? node.Scalar() : std::string();
}

// The entry of a named list: `clusters: [{name: N, cluster: {...}}]`.
Result<YAML::Node> entry(const YAML::Node& root,
                         const std::string& list,
                         const std::string& content,
                         const std::string& wanted) {
  const YAML::Node entries = root[list];
  if (entries.IsDefined() && entries.IsSequence()) {
    for (const YAML::Node& candidate : entries) {
      if (text_of(member(candidate, "name")) == wanted) return member(candidate, content);
    }
  }
  return Error(Kind::invalid, fmt::format("kubeconfig: {} has no entry named {:?}", list, wanted));
}

// `name-data` holds it in base64, `name` names a file.
Result<std::string> inline_or_file(const YAML::Node& node,
                                   const std::string& name,
                                   const std::string& folder) {
  if (const std::string data = text_of(member(node, name + "-data")); !data.empty()) {
    auto decoded = base::decode_base64(data);
    if (!decoded.ok()) return std::move(decoded).error().in("kubeconfig: " + name + "-data");
    return decoded;
  }
  std::string path = text_of(member(node, name));
  if (path.empty()) return std::string();
  if (path.front() != '/') path = folder + "/" + path;
  return read_small_file(path);
}

}  // namespace

Credentials ClusterConfig::credentials(const base::Clock& clock) const {
  if (!token_file.empty()) return Credentials::from_file(token_file, clock);
  if (!token.empty()) return Credentials::fixed(token);
  return {};
}

Result<ClusterConfig> parse_kubeconfig(const std::string& text, const std::string& folder) {
  YAML::Node root;
  try {
    root = YAML::Load(text);
  } catch (const YAML::Exception& e) {
    return Error(
        Kind::invalid,
        fmt::format(
            "kubeconfig: line {}, column {}: {}", e.mark.line + 1, e.mark.column + 1, e.msg));
  }
  if (!root.IsMap()) return Error(Kind::invalid, "kubeconfig: not a map");

  const std::string current = text_of(root["current-context"]);
  TRY(const YAML::Node context, entry(root, "contexts", "context", current));
  TRY(const YAML::Node cluster,
      entry(root, "clusters", "cluster", text_of(member(context, "cluster"))));
  TRY(const YAML::Node user, entry(root, "users", "user", text_of(member(context, "user"))));

  ClusterConfig config;
  config.server = text_of(member(cluster, "server"));
  if (config.server.empty()) return Error(Kind::invalid, "kubeconfig: the cluster has no server");
  TRY(config.ca_pem, inline_or_file(cluster, "certificate-authority", folder));
  config.tls_server_name = text_of(member(cluster, "tls-server-name"));
  config.insecure_skip_tls_verify = text_of(member(cluster, "insecure-skip-tls-verify")) == "true";
  TRY(config.client_cert_pem, inline_or_file(user, "client-certificate", folder));
  TRY(std::string key, inline_or_file(user, "client-key", folder));
  config.client_key_pem = base::Secret::consume(key);
  config.token = base::Secret(text_of(member(user, "token")));
  config.token_file = text_of(member(user, "tokenFile"));
  config.ns = text_of(member(context, "namespace"));
  if (member(user, "exec").IsDefined()) {
    return Error(Kind::invalid,
                 "kubeconfig: the user gets its credentials from an exec plugin, which is not "
                 "supported yet; "
                 "use a token, tokenFile or client certificate");
  }
  return config;
}

Result<ClusterConfig> load_kubeconfig(const std::string& path) {
  TRY(const std::string text, read_small_file(path));
  const auto slash = path.rfind('/');
  return parse_kubeconfig(text, slash == std::string::npos ? "." : path.substr(0, slash));
}

Result<ClusterConfig> in_cluster_config(const std::string& service_account_folder,
                                        std::string_view host,
                                        std::string_view port) {
  if (host.empty() || port.empty()) {
    return Error(
        Kind::invalid,
        "no --kubeconfig, no KUBECONFIG, and not in a pod (KUBERNETES_SERVICE_HOST is not set)");
  }
  ClusterConfig config;
  const bool is_v6 = host.contains(':');
  config.server = fmt::format("https://{}{}{}:{}", is_v6 ? "[" : "", host, is_v6 ? "]" : "", port);
  TRY(config.ca_pem, read_small_file(service_account_folder + "/ca.crt"));
  config.token_file = service_account_folder + "/token";
  TRY(config.ns, read_small_file(service_account_folder + "/namespace"));
  return config;
}

}  // namespace kube
