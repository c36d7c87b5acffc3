// SPDX-License-Identifier: Apache-2.0
#include "net/transport/proxy_tunnel.h"

#include "net/async/loop.h"
#include "net/http_wire/parser.h"
#include "net/transport/deadline.h"
#include "net/transport/socket_io.h"

#include <fmt/format.h>

#include <array>

namespace net::inline transport {
namespace {

using asio::ip::tcp;
using base::Error;
using base::Kind;
using base::Result;

constexpr std::size_t kHeaderLimit = 16UL << 10U;

std::string connect_request(const Proxy& proxy, const Destination& destination) {
  const std::string origin = origin_name(destination.host, destination.port);
  std::string bytes = fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\n", origin);
  if (!proxy.authorization.empty())
    bytes += fmt::format("Proxy-Authorization: {}\r\n", proxy.authorization.reveal());
  return bytes + "\r\n";
}

// Reads byte by byte: what follows the header belongs to the user of the tunnel. The header is
// small.
Task<Result<int>> read_status(tcp::socket& socket) {
  // An answer to CONNECT has no body, like one to HEAD; the body of a rejection is not needed.
  http::ResponseParser parser("HEAD", {kHeaderLimit, 0});
  std::string no_body;
  while (!parser.complete()) {
    std::array<char, 1> byte{};
    CO_TRY(const std::size_t n, co_await read_from(socket, asio::buffer(byte)));
    if (n == 0) co_return Error(Kind::lost, "the proxy closed the connection");
    CO_TRY_VOID(parser.feed(std::string_view(byte.data(), n), no_body));
  }
  co_return parser.status();
}

Task<Result<void>> open_tunnel(tcp::socket& socket, std::string request) {
  constexpr int kProxyAuthenticationRequired = 407;
  CO_TRY_VOID(co_await write_to(socket, asio::buffer(request)));
  CO_TRY(const int status, co_await read_status(socket));
  if (status >= 200 && status < 300) co_return Result<void>();
  co_return Error(Kind::unreachable,
                  status == kProxyAuthenticationRequired
                      ? "the proxy requires a user and password (407); write "
                        "http://user:password@host:port"
                      : fmt::format("the proxy answered {}", status));
}

}  // namespace

Task<Result<tcp::socket>> connect_through(Loop& loop,
                                          Proxy proxy,
                                          Destination destination,
                                          base::Instant deadline) {
  const base::Instant begin = loop.now();
  const std::string name = fmt::format("proxy {}", origin_name(proxy.host, proxy.port));
  auto socket = co_await connect_tcp(loop, proxy.host, proxy.port, deadline);
  if (!socket.ok()) {
    if (socket.error().is(Kind::cancelled)) co_return socket;
    co_return std::move(socket).error().in(name);
  }
  const Deadline guard(loop, begin, deadline, [&socket] {
    boost::system::error_code ignored;
    socket->close(ignored);
  });
  auto opened = co_await open_tunnel(*socket, connect_request(proxy, destination));
  if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
  if (guard.passed())
    co_return Error(Kind::unreachable,
                    fmt::format("{}: no answer within {}", name, duration_text(deadline - begin)));
  if (!opened.ok()) co_return Error(Kind::unreachable, opened.error().message()).in(name);
  co_return std::move(*socket);
}

}  // namespace net::inline transport
