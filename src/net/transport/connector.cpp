// SPDX-License-Identifier: Apache-2.0
#include "net/transport/connector.h"

#include "net/transport/url.h"

#include <utility>

namespace net::inline transport {

ForwardConnector::ForwardConnector(Loop& loop, const Url& origin, const Proxy& proxy)
    : to_proxy_(loop, proxy.host, proxy.port),
      forwarding_("http://" + origin.authority(), proxy.authorization) {}

base::Result<std::unique_ptr<Connector>> make_connector(Loop& loop,
                                                        const Url& url,
                                                        const TlsOptions& tls,
                                                        const ProxySettings& proxies) {
  using Made = std::unique_ptr<Connector>;
  TRY(std::optional<Proxy> proxy, proxy_for(proxies, url));
  if (!url.tls && proxy) return Made(std::make_unique<ForwardConnector>(loop, url, *proxy));
  if (!url.tls) return Made(std::make_unique<TcpConnector>(loop, url.host, url.port));
  TRY(auto context, TlsContext::for_client(tls));
  auto connector = std::make_unique<TlsConnector>(loop, url.host, url.port, std::move(context));
  if (proxy) connector->go_through(std::move(*proxy));
  return Made(std::move(connector));
}

}  // namespace net::inline transport
