// SPDX-License-Identifier: Apache-2.0
#include "net/transport/tcp_acceptor.h"

#include "net/async/loop.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

namespace net::inline transport {
namespace {

using asio::ip::tcp;
using base::Error;
using base::Kind;
using base::Result;
using ErrorCode = boost::system::error_code;

class TcpAcceptor final : public Acceptor {
 public:
  TcpAcceptor(tcp::acceptor acceptor, MakeStream make)
      : acceptor_(std::move(acceptor)),
        port_(acceptor_.local_endpoint().port()),
        make_(std::move(make)) {}

  Task<Result<std::unique_ptr<Stream>>> accept() override {
    for (;;) {
      if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
      auto [problem, socket] = co_await acceptor_.async_accept(asio::as_tuple(asio::use_awaitable));
      if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
      if (is_client_error(problem)) continue;
      if (problem) co_return Error(Kind::internal, problem.message());
      if (set_options(socket)) continue;
      if (auto stream = make_(std::move(socket))) co_return std::move(stream);
    }
  }

  std::uint16_t port() const override { return port_; }

 private:
  // The client closed before it was accepted.
  static bool is_client_error(const ErrorCode& problem) {
    return problem == asio::error::connection_aborted || problem == asio::error::connection_reset;
  }

  tcp::acceptor acceptor_;
  std::uint16_t port_;
  MakeStream make_;
};

Result<tcp::acceptor> open(Loop& loop, const tcp::endpoint& endpoint) {
  tcp::acceptor acceptor(loop.executor());
  ErrorCode problem;
  acceptor.open(endpoint.protocol(), problem);
  if (!problem) acceptor.set_option(asio::socket_base::reuse_address(true), problem);
  if (!problem && endpoint.address().is_v6())  // "all addresses" includes IPv4
    acceptor.set_option(asio::ip::v6_only(!endpoint.address().is_unspecified()), problem);
  if (!problem) acceptor.bind(endpoint, problem);
  if (!problem) acceptor.listen(asio::socket_base::max_listen_connections, problem);
  if (problem) return Error(Kind::invalid, problem.message());
  return acceptor;
}

Result<tcp::acceptor> open(Loop& loop, const ListenAddress& address) {
  if (address.host.empty()) {
    auto both = open(loop, tcp::endpoint(asio::ip::address_v6::any(), address.port));
    if (both.ok()) return both;
    return open(loop, tcp::endpoint(asio::ip::address_v4::any(), address.port));  // without IPv6
  }
  ErrorCode problem;
  const auto host = asio::ip::make_address(address.host, problem);
  if (problem) return Error(Kind::invalid, "it is not an address");
  return open(loop, tcp::endpoint(host, address.port));
}

}  // namespace

std::string ListenAddress::to_string() const {
  return origin_name(host, port);
}

Result<std::unique_ptr<Acceptor>> listen(Loop& loop,
                                         const ListenAddress& address,
                                         MakeStream make) {
  auto acceptor = open(loop, address);
  if (!acceptor.ok())
    return std::move(acceptor).error().in(fmt::format("cannot listen on {}", address.to_string()));
  return std::unique_ptr<Acceptor>(
      std::make_unique<TcpAcceptor>(std::move(*acceptor), std::move(make)));
}

Result<std::unique_ptr<Acceptor>> listen_tcp(Loop& loop, const ListenAddress& address) {
  return listen(loop, address, tcp_stream);
}

}  // namespace net::inline transport
