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

// Where the API server is and who we are there. PEM texts are read from their files here, tokens
// are not: they rotate.
struct ClusterConfig {
  std::string server;  // "https://10.0.0.1:6443", or with a path in front of every target
  std::string ca_pem;  // empty: the system's certificates
  std::string client_cert_pem;
  base::Secret client_key_pem;
  std::string tls_server_name;
  bool insecure_skip_tls_verify = false;
  base::Secret token;
  std::string token_file;
  std::optional<ExecSpec> exec;  // asked if there is no token
  std::string ns;                // the context's namespace, or the pod's own
  net::ProxySettings proxies;    // none unless the caller gives some

  Credentials credentials(net::Loop& loop) const;
};

// The service account that Kubernetes gives to every pod.
base::Result<ClusterConfig> in_cluster_config(const std::string& service_account_folder,
                                              std::string_view host,
                                              std::string_view port);

}  // namespace kube::inline auth
