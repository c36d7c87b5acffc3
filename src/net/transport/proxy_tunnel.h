// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/transport/proxy.h"
#include "net/transport/tcp_socket.h"

// Only for the .cpp files of this folder, because its includes are heavy.
namespace net::inline transport {

struct Destination {
  std::string host;
  std::uint16_t port;
};

// Returns a socket connected to the destination through the proxy (CONNECT), on which nothing has
// been sent or received yet. Errors as connect_tcp().
Task<base::Result<asio::ip::tcp::socket>> connect_through(Loop& loop,
                                                          Proxy proxy,
                                                          Destination destination,
                                                          base::Instant deadline);

}  // namespace net::inline transport
