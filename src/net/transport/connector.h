// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "base/secret.h"
#include "net/async/fwd.h"
#include "net/transport/proxy.h"
#include "net/transport/stream.h"
#include "net/transport/tls.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace net::inline transport {

struct Url;

// What requests contain in addition if a proxy forwards them.
struct Forwarding {
  std::string origin;          // "http://host:port": prefix of every target
  base::Secret authorization;  // value of Proxy-Authorization; empty: none
};

// Makes connections to one origin.
//
// Guarantees  returns a connection that can be written to, or Kind::unreachable with the origin and
//             the reason, or Kind::cancelled. No part of a request has been sent in any case.
class Connector {
 public:
  Connector() = default;
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;
  virtual ~Connector() = default;

  virtual Task<base::Result<std::unique_ptr<Stream>>> connect(base::Instant deadline) = 0;
  // "host:port", for messages.
  virtual const std::string& name() const = 0;
  // Null if requests are not forwarded by a proxy.
  virtual const Forwarding* forwarding() const { return nullptr; }
};

// Plain TCP. A name is resolved for every connection, and its addresses are tried in turn, each
// with an equal share of the time. An address is used as it is.
class TcpConnector final : public Connector {
 public:
  TcpConnector(Loop& loop, std::string host, std::uint16_t port);

  Task<base::Result<std::unique_ptr<Stream>>> connect(base::Instant deadline) override;
  const std::string& name() const override { return name_; }

 private:
  Loop& loop_;
  std::string host_;
  std::uint16_t port_;
  std::string name_;
};

// Plain TCP to a proxy that forwards requests to an origin.
class ForwardConnector final : public Connector {
 public:
  ForwardConnector(Loop& loop, const Url& origin, const Proxy& proxy);

  Task<base::Result<std::unique_ptr<Stream>>> connect(base::Instant deadline) override {
    return to_proxy_.connect(deadline);
  }
  const std::string& name() const override { return to_proxy_.name(); }
  const Forwarding* forwarding() const override { return &forwarding_; }

 private:
  TcpConnector to_proxy_;
  Forwarding forwarding_;
};

// TLS over TCP; the peer is verified as the context defines.
class TlsConnector final : public Connector {
 public:
  TlsConnector(Loop& loop,
               std::string host,
               std::uint16_t port,
               std::shared_ptr<const TlsContext> context);

  // From now on connections use a tunnel through this proxy (CONNECT).
  void go_through(Proxy proxy);

  Task<base::Result<std::unique_ptr<Stream>>> connect(base::Instant deadline) override;
  const std::string& name() const override { return name_; }

 private:
  Loop& loop_;
  std::string host_;
  std::uint16_t port_;
  std::string name_;
  std::shared_ptr<const TlsContext> context_;
  std::optional<Proxy> proxy_;
};

// Returns the connector for the scheme of the URL, through a proxy if the settings have one for it:
//
//   make_connector(loop, url, tls, proxies_of(environment))
//
// `tls` is ignored for http.
base::Result<std::unique_ptr<Connector>> make_connector(Loop& loop,
                                                        const Url& url,
                                                        const TlsOptions& tls,
                                                        const ProxySettings& proxies = {});

}  // namespace net::inline transport
