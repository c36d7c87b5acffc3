// SPDX-License-Identifier: Apache-2.0
#include "net/connector.h"
#include "net/loop.h"
#include "net/tcp_socket.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace net {
namespace {

using asio::ip::tcp;
using base::Result;

class TcpStream final : public Stream {
 public:
  explicit TcpStream(tcp::socket socket) : socket_(std::move(socket)) {}

  Task<Result<std::size_t>> read_some(asio::mutable_buffer into) override {
    if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
    const auto [problem, n] =
        co_await socket_.async_read_some(into, asio::as_tuple(asio::use_awaitable));
    if (!problem) co_return n;
    if (problem == asio::error::eof) co_return std::size_t{0};
    co_return broken(problem, is_cancelled(co_await asio::this_coro::cancellation_state));
  }

  Task<Result<void>> write(asio::const_buffer bytes) override {
    if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
    const auto [problem, n] =
        co_await asio::async_write(socket_, bytes, asio::as_tuple(asio::use_awaitable));
    if (!problem) co_return Result<void>();
    co_return broken(problem, is_cancelled(co_await asio::this_coro::cancellation_state));
  }

  void close() noexcept override {
    boost::system::error_code ignored;
    socket_.close(ignored);
  }

  bool looks_alive() override { return looks_idle(socket_); }

 private:
  tcp::socket socket_;
};

}  // namespace

TcpConnector::TcpConnector(Loop& loop, std::string host, std::uint16_t port)
    : loop_(loop), host_(std::move(host)), port_(port), name_(origin_name(host_, port_)) {}

Task<Result<std::unique_ptr<Stream>>> TcpConnector::connect(base::Instant deadline) {
  auto socket = co_await connect_tcp(loop_, host_, port_, deadline);
  if (!socket.ok()) co_return cannot_connect(std::move(socket).error(), name_);
  co_return std::unique_ptr<Stream>(std::make_unique<TcpStream>(std::move(*socket)));
}

}  // namespace net
