// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/async/fwd.h"
#include "net/async/task.h"

#include <boost/asio/ip/tcp.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// What TCP and TLS have in common. Only for the .cpp files of this folder: it is not light.
namespace net::inline transport {

class Stream;

// The addresses of a host. An address as text is not looked up. A lookup that is given up
// (deadline, cancellation) goes on in Asio's resolver thread and is ignored.
Task<base::Result<std::vector<asio::ip::tcp::endpoint>>> resolve(Loop& loop,
                                                                 std::string host,
                                                                 std::uint16_t port,
                                                                 base::Instant deadline);

// A connected socket that sends at once and notices within about half a minute that its peer is
// gone. Errors as Connector promises, without the origin's name.
Task<base::Result<asio::ip::tcp::socket>> connect_tcp(Loop& loop,
                                                      std::string host,
                                                      std::uint16_t port,
                                                      base::Instant deadline);

// Makes a socket send at once and notice within about half a minute that its peer is gone.
boost::system::error_code set_options(asio::ip::tcp::socket& socket);

// The plain connection that this socket is.
std::unique_ptr<Stream> tcp_stream(asio::ip::tcp::socket socket);

// Open, and a peek finds neither an end nor a byte.
bool looks_idle(asio::ip::tcp::socket& socket);

// Why a read or write of a standing connection failed, in the terms of Stream.
base::Error broken(const boost::system::error_code& reason, bool task_cancelled);

// "host:port", "[::1]:443"
std::string origin_name(std::string_view host, std::uint16_t port);
base::Error cannot_connect(base::Error reason, std::string_view origin);

}  // namespace net::inline transport
