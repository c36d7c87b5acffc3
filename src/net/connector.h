// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/stream.h"
#include "net/tls.h"

#include <cstdint>
#include <memory>
#include <string>

namespace net {

class Loop;
struct Url;

// Makes connections to one origin.
//
// Guarantees  a connection that is ready to be written to, or Kind::unreachable with the origin and
//             the reason, or Kind::cancelled. Nothing of a request has been sent in any case.
class Connector {
 public:
  Connector() = default;
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;
  virtual ~Connector() = default;

  virtual Task<base::Result<std::unique_ptr<Stream>>> connect(base::Instant deadline) = 0;
  // "host:port", for messages.
  virtual const std::string& name() const = 0;
};

// Plain TCP. A name is looked up for every connection (an address never), and its addresses are
// tried in turn, each with a fair share of the time.
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

// TLS over TCP, with the peer verified as the context says.
class TlsConnector final : public Connector {
 public:
  TlsConnector(Loop& loop,
               std::string host,
               std::uint16_t port,
               std::shared_ptr<const TlsContext> context);

  Task<base::Result<std::unique_ptr<Stream>>> connect(base::Instant deadline) override;
  const std::string& name() const override { return name_; }

 private:
  Loop& loop_;
  std::string host_;
  std::uint16_t port_;
  std::string name_;
  std::shared_ptr<const TlsContext> context_;
};

// The one that the URL's scheme asks for. `tls` is not looked at for http.
base::Result<std::unique_ptr<Connector>> make_connector(Loop& loop,
                                                        const Url& url,
                                                        const TlsOptions& tls);

}  // namespace net
