// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/transport/proxy.h"
#include "net/transport/tcp_socket.h"

// Only for the .cpp files of this folder: it is not light.
namespace net::inline transport {

struct Destination {
  std::string host;
  std::uint16_t port;
};

// A socket that leads to the destination through the proxy (CONNECT), with nothing sent or received
// on it yet. Errors as connect_tcp().
Task<base::Result<asio::ip::tcp::socket>> connect_through(Loop& loop,
                                                          Proxy proxy,
                                                          Destination destination,
                                                          base::Instant deadline);

}  // namespace net::inline transport
