// SPDX-License-Identifier: Apache-2.0
#include "net/connector.h"

#include "net/url.h"

namespace net {

base::Result<std::unique_ptr<Connector>> make_connector(Loop& loop,
                                                        const Url& url,
                                                        const TlsOptions& tls) {
  if (!url.tls)
    return std::unique_ptr<Connector>(std::make_unique<TcpConnector>(loop, url.host, url.port));
  TRY(auto context, TlsContext::for_client(tls));
  return std::unique_ptr<Connector>(
      std::make_unique<TlsConnector>(loop, url.host, url.port, std::move(context)));
}

}  // namespace net
