// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/async/fwd.h"
#include "net/transport/stream.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace net::inline transport {

class ServerCertificate;

// Accepts connections of clients.
class Acceptor {
 public:
  Acceptor() = default;
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;
  virtual ~Acceptor() = default;

  // Waits for the next client. Kind::cancelled, or Kind::internal if the system has no resources
  // left for a connection; retry later.
  virtual Task<base::Result<std::unique_ptr<Stream>>> accept() = 0;
  // The port of the machine, also if port 0 was requested.
  virtual std::uint16_t port() const = 0;
};

struct ListenAddress {
  std::string host;        // an address; empty: all addresses
  std::uint16_t port = 0;  // 0: any free port

  std::string to_string() const;
};

// Parses "127.0.0.1:8080", "[::1]:8080", ":8080", "localhost:8080", as Go's flags do. Kind::invalid
// otherwise; names are not resolved.
base::Result<ListenAddress> parse_listen_address(std::string_view text);

// Kind::invalid, with the address and the reason, if the process cannot listen there.
base::Result<std::unique_ptr<Acceptor>> listen_tcp(Loop& loop, const ListenAddress& address);

// TLS 1.2 or later with HTTP/1.1: a client that offers only other protocols (ALPN) is rejected in
// the handshake. The handshake is part of the first read of a stream, so that it delays no other
// connection; each handshake uses the current certificate.
base::Result<std::unique_ptr<Acceptor>> listen_tls(
    Loop& loop, const ListenAddress& address, std::shared_ptr<const ServerCertificate> certificate);

}  // namespace net::inline transport
