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

// Common parts of TCP and TLS. Only for the .cpp files of this folder, because its includes are
// heavy.
namespace net::inline transport {

class Stream;

// Resolves a host. An address as text is not looked up. A lookup that is abandoned (deadline,
// cancellation) continues in Asio's resolver thread and is ignored.
Task<base::Result<std::vector<asio::ip::tcp::endpoint>>> resolve(Loop& loop,
                                                                 std::string host,
                                                                 std::uint16_t port,
                                                                 base::Instant deadline);

// Returns a connected socket that sends without delay and detects within about half a minute that
// its peer is gone. Errors as Connector defines, without the name of the origin.
Task<base::Result<asio::ip::tcp::socket>> connect_tcp(Loop& loop,
                                                      std::string host,
                                                      std::uint16_t port,
                                                      base::Instant deadline);

// Makes a socket send without delay and detect within about half a minute that its peer is gone.
boost::system::error_code set_options(asio::ip::tcp::socket& socket);

// Wraps the socket as a plain connection.
std::unique_ptr<Stream> tcp_stream(asio::ip::tcp::socket socket);

// Whether it is open, and a peek finds neither an end nor a byte.
bool looks_idle(asio::ip::tcp::socket& socket);

// Converts the error of a read or write on an established connection to an error of Stream.
base::Error broken(const boost::system::error_code& reason, bool task_cancelled);

// "host:port", "[::1]:443"
std::string origin_name(std::string_view host, std::uint16_t port);
base::Error cannot_connect(base::Error reason, std::string_view origin);

}  // namespace net::inline transport
