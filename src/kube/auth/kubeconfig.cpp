// SPDX-License-Identifier: Apache-2.0
#include "kube/auth/kubeconfig.h"

#include "kube/auth/kubeconfig_entry.h"
#include "net/files/small_file.h"

#include <fmt/format.h>

#include <filesystem>

namespace kube::inline auth {

using base::Error;
using base::Kind;
using base::Result;

namespace {

struct Document {
  std::string path;
  YAML::Node root;
};

Result<Document> read(const KubeconfigFile& file) {
  Document document{file.path, {}};
  try {
    document.root = YAML::Load(file.text);
  } catch (const YAML::Exception& e) {
    return Error(Kind::invalid,
                 fmt::format("{}: line {}, column {}: {}; correct the YAML",
                             file.path,
                             e.mark.line + 1,
                             e.mark.column + 1,
                             e.msg));
  }
  // An empty file is valid.
  if (document.root.IsNull()) document.root = YAML::Node(YAML::NodeType::Map);
  if (!document.root.IsMap()) {
    return Error(Kind::invalid,
                 fmt::format("{}: not a kubeconfig: its top level is not a map", file.path));
  }
  return document;
}

// `clusters: [{name: N, cluster: {...}}]`: the first entry of that name.
Result<KubeconfigEntry> find(const std::vector<Document>& documents,
                             const std::string& list,
                             const std::string& member,
                             const std::string& name) {
  for (const Document& document : documents) {
    const YAML::Node entries = document.root[list];
    if (!entries.IsDefined() || entries.IsNull()) continue;
    if (!entries.IsSequence()) {
      return Error(Kind::invalid,
                   fmt::format("{}: {}: not a list; write - name: ...", document.path, list));
    }
    for (const YAML::Node& candidate : entries) {
      if (!candidate.IsMap() || !candidate["name"].IsDefined() || !candidate["name"].IsScalar())
        continue;
      if (candidate["name"].Scalar() != name) continue;
      return KubeconfigEntry::make(
          document.path, fmt::format("{}[{}]", list, name), candidate[member]);
    }
  }
  return Error(Kind::invalid,
               fmt::format("{}: {}: no entry named {:?}; add it or choose another context",
                           documents.front().path,
                           list,
                           name));
}

Result<std::string> current_context(const std::vector<Document>& documents) {
  for (const Document& document : documents) {
    TRY(const KubeconfigEntry top, KubeconfigEntry::make(document.path, "", document.root));
    TRY(std::string name, top.text("current-context"));
    if (!name.empty()) return name;
  }
  return Error(Kind::invalid,
               fmt::format("{}: current-context: not set; choose one with: kubectl config "
                           "use-context NAME",
                           documents.front().path));
}

Result<void> read_cluster(const KubeconfigEntry& cluster, ClusterConfig& config) {
  TRY(config.server, cluster.text("server"));
  if (config.server.empty()) return cluster.wrong("server", "missing; write https://HOST:PORT");
  TRY(config.ca_pem, cluster.pem("certificate-authority"));
  TRY(config.tls_server_name, cluster.text("tls-server-name"));
  TRY(config.insecure_skip_tls_verify, cluster.flag("insecure-skip-tls-verify"));
  if (config.insecure_skip_tls_verify && !config.ca_pem.empty()) {
    return cluster.wrong("insecure-skip-tls-verify",
                         "contradicts certificate-authority; remove one of them");
  }
  return cluster.must_be_absent("proxy-url", "proxies are not supported; connect directly");
}

Result<void> read_user(const KubeconfigEntry& user,
                       const KubeconfigEntry& cluster,
                       ClusterConfig& config) {
  TRY(config.client_cert_pem, user.pem("client-certificate"));
  TRY(std::string key, user.pem("client-key"));
  config.client_key_pem = base::Secret::consume(key);
  if (config.client_cert_pem.empty() != config.client_key_pem.empty()) {
    return user.wrong(config.client_key_pem.empty() ? "client-key" : "client-certificate",
                      "missing; a certificate needs its key");
  }
  TRY(std::string token, user.text("token"));
  config.token = base::Secret::consume(token);
  TRY(config.token_file, user.path("tokenFile"));
  TRY_VOID(
      user.must_be_absent("as", "impersonation is not supported; use that user's credentials"));
  TRY_VOID(user.must_be_absent("username", "the API server takes no passwords; use a token"));
  TRY_VOID(user.must_be_absent("auth-provider", "removed from Kubernetes; use an exec plugin"));
  TRY(config.exec, read_exec(user, cluster, config));
  return {};
}

}  // namespace

Result<ClusterConfig> parse_kubeconfig(const std::vector<KubeconfigFile>& files) {
  std::vector<Document> documents;
  for (const KubeconfigFile& file : files) {
    TRY(Document document, read(file));
    documents.push_back(std::move(document));
  }
  if (documents.empty()) return Error(Kind::invalid, "no kubeconfig file");

  TRY(const std::string current, current_context(documents));
  TRY(const KubeconfigEntry context, find(documents, "contexts", "context", current));
  TRY(const std::string cluster_name, context.text("cluster"));
  TRY(const std::string user_name, context.text("user"));
  TRY(const KubeconfigEntry cluster, find(documents, "clusters", "cluster", cluster_name));
  TRY(const KubeconfigEntry user, find(documents, "users", "user", user_name));

  ClusterConfig config;
  TRY(config.ns, context.text("namespace"));
  TRY_VOID(read_cluster(cluster, config));
  TRY_VOID(read_user(user, cluster, config));
  return config;
}

Result<ClusterConfig> load_kubeconfig(std::string_view paths) {
  std::vector<KubeconfigFile> files;
  const bool several = paths.contains(':');
  std::string_view rest = paths;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string path(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::error_code unknown;
    const bool missing = !std::filesystem::exists(path, unknown);
    if (path.empty() || (several && missing && !unknown)) continue;
    TRY(std::string text, net::read_small_file(path));
    files.push_back({path, std::move(text)});
  }
  if (files.empty()) {
    return Error(
        Kind::invalid,
        fmt::format("KUBECONFIG={}: none of these files exists; correct it or unset it", paths));
  }
  return parse_kubeconfig(files);
}

}  // namespace kube::inline auth
