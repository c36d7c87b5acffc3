// SPDX-License-Identifier: Apache-2.0
#include "kube/connect.h"

#include "net/connector.h"
#include "net/http_client.h"
#include "net/url.h"

namespace kube {

base::Result<std::unique_ptr<net::http::Transport>> connect(net::Loop& loop,
                                                            const ClusterConfig& config,
                                                            std::string user_agent) {
  constexpr std::size_t kConnections = 16;
  TRY(const net::Url url, net::parse_url(config.server));
  if (!url.prefix.empty()) {
    return base::Error(
        base::Kind::invalid,
        "kubeconfig: a server with a path (" + config.server + ") is not supported yet");
  }
  net::TlsOptions tls;
  tls.ca = config.ca_pem;
  tls.certificate = config.client_cert_pem;
  tls.private_key = config.client_key_pem;
  tls.server_name = config.tls_server_name;
  tls.insecure = config.insecure_skip_tls_verify;
  TRY(auto connector, net::make_connector(loop, url, tls));

  net::HttpOptions options;
  options.authority = url.authority();
  options.user_agent = std::move(user_agent);
  options.most_in_use = kConnections;
  options.most_idle = kConnections;
  return std::unique_ptr<net::http::Transport>(
      std::make_unique<net::HttpClient>(loop, std::move(connector), std::move(options)));
}

}  // namespace kube
