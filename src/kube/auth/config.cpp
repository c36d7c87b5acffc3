// SPDX-License-Identifier: Apache-2.0
#include "kube/auth/config.h"

#include "net/async/loop.h"
#include "net/files/small_file.h"

#include <fmt/format.h>

namespace kube::inline auth {

using base::Error;
using base::Kind;
using base::Result;

Credentials ClusterConfig::credentials(net::Loop& loop) const {
  if (!token_file.empty()) return Credentials::from_file(token_file, loop.clock());
  if (!token.empty()) return Credentials::fixed(token);
  if (exec) return Credentials::from_plugin(loop, *exec);
  return {};
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
  TRY(config.ca_pem, net::read_small_file(service_account_folder + "/ca.crt"));
  config.token_file = service_account_folder + "/token";
  TRY(config.ns, net::read_small_file(service_account_folder + "/namespace"));
  config.ns = std::string(net::trimmed(config.ns));
  return config;
}

}  // namespace kube::inline auth
