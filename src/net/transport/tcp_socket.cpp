// SPDX-License-Identifier: Apache-2.0
#include "net/transport/tcp_socket.h"

#include "net/async/loop.h"
#include "net/transport/deadline.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace net::inline transport {
namespace {

using asio::ip::tcp;
using base::Error;
using base::Kind;
using base::Result;

template <int Level, int Name>
using Option = asio::detail::socket_option::integer<Level, Name>;

Task<Result<tcp::socket>> connect_to(Loop& loop, tcp::endpoint endpoint, base::Instant deadline) {
  if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
  tcp::socket socket(loop.executor());
  boost::system::error_code cannot;
  socket.open(endpoint.protocol(), cannot);
  if (!cannot) cannot = set_options(socket);
  if (cannot) co_return Error(Kind::unreachable, cannot.message());

  const base::Instant begin = loop.now();
  const Deadline guard(loop, begin, deadline, [&socket] {
    boost::system::error_code ignored;
    socket.close(ignored);
  });
  const auto [problem] =
      co_await socket.async_connect(endpoint, asio::as_tuple(asio::use_awaitable));
  if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
  if (guard.passed())
    co_return Error(Kind::unreachable,
                    fmt::format("no answer within {}", duration_text(deadline - begin)));
  if (problem) co_return Error(Kind::unreachable, problem.message());
  co_return std::move(socket);
}

}  // namespace

// A peer that vanished is detected by unanswered probes on an idle connection (15 s + 3 * 5 s) and
// by unacknowledged data otherwise.
boost::system::error_code set_options(tcp::socket& socket) {
  boost::system::error_code problem;
  const auto set = [&](const auto& option) {
    if (!problem) socket.set_option(option, problem);
  };
  set(tcp::no_delay(true));
  set(asio::socket_base::keep_alive(true));
  set(Option<IPPROTO_TCP, TCP_KEEPIDLE>(15));
  set(Option<IPPROTO_TCP, TCP_KEEPINTVL>(5));
  set(Option<IPPROTO_TCP, TCP_KEEPCNT>(3));
  set(Option<IPPROTO_TCP, TCP_USER_TIMEOUT>(30'000));
  return problem;
}

Task<Result<tcp::socket>> connect_tcp(Loop& loop,
                                      std::string host,
                                      std::uint16_t port,
                                      base::Instant deadline) {
  CO_TRY(const auto endpoints, co_await resolve(loop, std::move(host), port, deadline));
  std::string reasons;
  for (std::size_t i = 0; i < endpoints.size(); ++i) {
    // One address that does not answer must not use up the time of the following ones.
    const base::Instant now = loop.now();
    const auto share = (deadline - now) / static_cast<std::int64_t>(endpoints.size() - i);
    auto socket = co_await connect_to(loop, endpoints[i], now + share);
    if (socket.ok() || socket.error().is(Kind::cancelled)) co_return socket;
    if (endpoints.size() > 1)
      reasons += fmt::format("{}{}: ", i > 0 ? "; " : "", endpoints[i].address().to_string());
    reasons += socket.error().message();
  }
  co_return Error(Kind::unreachable, std::move(reasons));
}

bool looks_idle(tcp::socket& socket) {
  if (!socket.is_open()) return false;
  char byte = 0;
  const auto got = ::recv(socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

Error broken(const boost::system::error_code& reason, bool task_cancelled) {
  if (task_cancelled) return cancelled();
  if (reason == asio::error::operation_aborted || reason == asio::error::bad_descriptor)
    return Error(Kind::lost, "the connection was closed");
  return Error(Kind::lost, reason.message());
}

std::string origin_name(std::string_view host, std::uint16_t port) {
  return host.contains(':') ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

Error cannot_connect(Error reason, std::string_view origin) {
  if (reason.is(Kind::cancelled)) return reason;
  return std::move(reason).in(fmt::format("cannot connect to {}", origin));
}

}  // namespace net::inline transport
