// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/secret.h"
#include "kube/auth/credentials.h"
#include "kube/auth/exec_credential.h"
#include "net/transport/proxy.h"

#include <optional>
#include <string>
#include <string_view>

namespace kube::inline auth {

// Address and credentials for the API server. PEM files are read here; token files are not, because
// tokens rotate.
struct ClusterConfig {
  std::string server;  // "https://10.0.0.1:6443", or with a path that prefixes every target
  std::string ca_pem;  // empty: the authorities of the system
  std::string client_cert_pem;
  base::Secret client_key_pem;
  std::string tls_server_name;
  bool insecure_skip_tls_verify = false;
  base::Secret token;
  std::string token_file;
  std::optional<ExecSpec> exec;  // used if there is no token
  std::string ns;                // namespace of the context, or of the pod
  net::ProxySettings proxies;    // empty unless the caller sets them

  Credentials credentials(net::Loop& loop) const;
};

// The service account that Kubernetes mounts into every pod.
base::Result<ClusterConfig> in_cluster_config(const std::string& service_account_folder,
                                              std::string_view host,
                                              std::string_view port);

}  // namespace kube::inline auth
