// SPDX-License-Identifier: Apache-2.0
#include "slurm_link.h"

#include "net/files/small_file.h"
#include "net/http/client.h"
#include "net/transport/connector.h"
#include "net/transport/ip_address.h"
#include "net/transport/url.h"

#include <fmt/format.h>

#include <utility>

namespace app {
namespace {

using base::Result;

// By the address or the name alone: names are not resolved.
bool is_loopback(const std::string& host) {
  if (const auto address = net::IpAddress::parse(host)) return address->is_loopback();
  return host == "localhost" || host.ends_with(".localhost");
}

Result<net::TlsOptions> tls_options(const bridge::config::Config& config) {
  net::TlsOptions options;
  if (config.slurmRestApiCaFile.empty()) return options;
  TRY(options.ca, net::read_small_file(config.slurmRestApiCaFile));
  // An empty value would select the system's authorities.
  if (options.ca.empty()) return base::Error(base::Kind::invalid, "the file is empty");
  return options;
}

Result<std::unique_ptr<net::Connector>> slurm_connector(net::Loop& loop,
                                                        const bridge::config::Config& config,
                                                        const net::Url& url,
                                                        const net::ProxySettings& proxies) {
  TRY(const net::TlsOptions tls, tls_options(config));
  return net::make_connector(loop, url, tls, proxies);
}

}  // namespace

Result<std::unique_ptr<net::http::Transport>> slurm_transport(net::Loop& loop,
                                                              const bridge::config::Config& config,
                                                              SlurmLinkOptions options) {
  auto url = net::parse_url(config.slurmRestApi);
  if (!url.ok()) return std::move(url).error().in("slurmRestApi");
  auto connector = slurm_connector(loop, config, *url, options.proxies);
  if (!connector.ok()) {
    if (config.slurmRestApiCaFile.empty()) return std::move(connector).error().in("slurmRestApi");
    return std::move(connector).error().in(
        fmt::format("slurmRestApiCaFile {}", config.slurmRestApiCaFile));
  }
  net::HttpOptions http;
  http.authority = url->authority();
  http.user_agent = std::move(options.user_agent);
  http.most_in_use = options.connections;
  return std::unique_ptr<net::http::Transport>(
      std::make_unique<net::HttpClient>(loop, *std::move(connector), std::move(http)));
}

std::vector<std::string> remarks_on_slurm_link(const bridge::config::Config& config) {
  const auto url = net::parse_url(config.slurmRestApi);
  if (!url.ok() || url->tls) return {};
  std::vector<std::string> remarks;
  if (!is_loopback(url->host))
    remarks.push_back(fmt::format(
        "slurmRestApi {} is plain http: everyone on the network path to slurmrestd can read the "
        "Slurm token; use https (slurmRestApiCaFile for a private authority)",
        url->to_string()));
  if (!config.slurmRestApiCaFile.empty())
    remarks.push_back(fmt::format("slurmRestApiCaFile has no effect: slurmRestApi {} is plain http",
                                  url->to_string()));
  return remarks;
}

}  // namespace app
