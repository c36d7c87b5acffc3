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

// Where clients come in.
class Acceptor {
 public:
  Acceptor() = default;
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;
  virtual ~Acceptor() = default;

  // Waits for the next client. Kind::cancelled, or Kind::internal if the system has nothing left to
  // take one with; trying again later is right.
  virtual Task<base::Result<std::unique_ptr<Stream>>> accept() = 0;
  // Of the machine, also if any was asked for.
  virtual std::uint16_t port() const = 0;
};

struct ListenAddress {
  std::string host;        // an address; empty: all of the machine
  std::uint16_t port = 0;  // 0: any that is free

  std::string to_string() const;
};

// "127.0.0.1:8080", "[::1]:8080", ":8080", "localhost:8080", as Go's flags take them. Kind::invalid
// otherwise; names are not looked up.
base::Result<ListenAddress> parse_listen_address(std::string_view text);

// Kind::invalid, with the address and the reason, if one cannot listen there.
base::Result<std::unique_ptr<Acceptor>> listen_tcp(Loop& loop, const ListenAddress& address);

// With TLS 1.2 or later and HTTP/1.1: a client that offers other protocols only (ALPN) is refused
// in the handshake. The handshake is part of a stream's first read, so that it holds up nobody
// else; each one uses the certificate of its moment.
base::Result<std::unique_ptr<Acceptor>> listen_tls(
    Loop& loop, const ListenAddress& address, std::shared_ptr<const ServerCertificate> certificate);

}  // namespace net::inline transport
