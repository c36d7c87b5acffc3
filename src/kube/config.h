// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "base/secret.h"
#include "kube/credentials.h"

#include <string>
#include <string_view>

namespace kube {

// Where the API server is and who we are there. PEM texts are read from their files here, tokens
// are not: they rotate.
struct ClusterConfig {
  std::string server;  // "https://10.0.0.1:6443"
  std::string ca_pem;  // empty: the system's certificates
  std::string client_cert_pem;
  base::Secret client_key_pem;
  std::string tls_server_name;
  bool insecure_skip_tls_verify = false;
  base::Secret token;
  std::string token_file;
  std::string ns;  // the context's namespace, or the pod's own

  Credentials credentials(const base::Clock& clock) const;
};

// The current context of a kubeconfig. Relative file names in it are relative to its folder.
base::Result<ClusterConfig> parse_kubeconfig(const std::string& text, const std::string& folder);
base::Result<ClusterConfig> load_kubeconfig(const std::string& path);

// The service account that Kubernetes gives to every pod.
base::Result<ClusterConfig> in_cluster_config(const std::string& service_account_folder,
                                              std::string_view host,
                                              std::string_view port);

}  // namespace kube
