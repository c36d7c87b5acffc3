// SPDX-License-Identifier: Apache-2.0
#include "kube/auth/connect.h"

#include "net/http/client.h"
#include "net/transport/connector.h"
#include "net/transport/url.h"

namespace kube::inline auth {
namespace {

using base::Result;
using net::http::Request;
using net::http::Response;
using net::http::StreamingResponse;

net::TlsOptions tls_of(const ClusterConfig& config) {
  net::TlsOptions tls;
  tls.ca = config.ca_pem;
  tls.certificate = config.client_cert_pem;
  tls.private_key = config.client_key_pem;
  tls.server_name = config.tls_server_name;
  tls.insecure = config.insecure_skip_tls_verify;
  return tls;
}

class ApiServer final : public net::http::Transport {
 public:
  ApiServer(net::Loop& loop, net::Url url, const ClusterConfig& config, std::string user_agent)
      : loop_(loop),
        url_(std::move(url)),
        tls_(tls_of(config)),
        proxies_(config.proxies),
        user_agent_(std::move(user_agent)) {}

  Result<void> build() {
    constexpr std::size_t kConnections = 16;
    TRY(auto connector, net::make_connector(loop_, url_, tls_, proxies_));
    net::HttpOptions options;
    options.authority = url_.authority();
    options.user_agent = user_agent_;
    options.most_in_use = kConnections;
    options.most_idle = kConnections;
    http_ = std::make_shared<net::HttpClient>(loop_, std::move(connector), std::move(options));
    return {};
  }

  void take_certificates_of(std::shared_ptr<ExecPlugin> plugin) { plugin_ = std::move(plugin); }

  net::Task<Result<Response>> send(Request request, base::Instant deadline) override {
    CO_TRY(const std::shared_ptr<net::HttpClient> http, co_await current(deadline));
    request.target.insert(0, url_.prefix);
    co_return co_await http->send(std::move(request), deadline);
  }

  net::Task<Result<StreamingResponse>> open(Request request, base::Instant deadline) override {
    CO_TRY(const std::shared_ptr<net::HttpClient> http, co_await current(deadline));
    request.target.insert(0, url_.prefix);
    co_return co_await http->open(std::move(request), deadline);
  }

 private:
  // Returns the client with the current certificate.
  net::Task<Result<std::shared_ptr<net::HttpClient>>> current(base::Instant deadline) {
    if (!plugin_) co_return http_;
    CO_TRY(const auto credential, co_await plugin_->credential(deadline));
    if (credential->certificate_pem.empty()) co_return http_;
    const bool same =
        credential->certificate_pem == tls_.certificate && credential->key_pem == tls_.private_key;
    if (same) co_return http_;
    tls_.certificate = credential->certificate_pem;
    tls_.private_key = credential->key_pem;
    if (auto built = build(); !built.ok()) {
      tls_.certificate.clear();  // so that it does not count as the one in use
      co_return std::move(built).error().in("the exec plugin's client certificate");
    }
    co_return http_;
  }

  net::Loop& loop_;
  net::Url url_;
  net::TlsOptions tls_;
  net::ProxySettings proxies_;
  std::string user_agent_;
  std::shared_ptr<net::HttpClient> http_;
  std::shared_ptr<ExecPlugin> plugin_;
};

}  // namespace

Result<std::unique_ptr<net::http::Transport>> connect(net::Loop& loop,
                                                      const ClusterConfig& config,
                                                      const Credentials& credentials,
                                                      std::string user_agent) {
  auto url = net::parse_url(config.server);
  if (!url.ok()) return std::move(url).error().in("the API server's address");
  auto server = std::make_unique<ApiServer>(loop, std::move(*url), config, std::move(user_agent));
  TRY_VOID(server->build());
  server->take_certificates_of(credentials.plugin());
  return std::unique_ptr<net::http::Transport>(std::move(server));
}

}  // namespace kube::inline auth
