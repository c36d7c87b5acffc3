// SPDX-License-Identifier: Apache-2.0
#include "net/async/loop.h"
#include "net/transport/connector.h"
#include "net/transport/socket_io.h"
#include "net/transport/tcp_socket.h"

namespace net::inline transport {
namespace {

using asio::ip::tcp;
using base::Result;

class TcpStream final : public Stream {
 public:
  explicit TcpStream(tcp::socket socket) : socket_(std::move(socket)) {}

  Task<Result<std::size_t>> read_some(asio::mutable_buffer into) override {
    return read_from(socket_, into);
  }

  Task<Result<void>> write(asio::const_buffer bytes) override { return write_to(socket_, bytes); }

  void close() noexcept override {
    boost::system::error_code ignored;
    socket_.close(ignored);
  }

  bool looks_alive() override { return looks_idle(socket_); }

 private:
  tcp::socket socket_;
};

}  // namespace

std::unique_ptr<Stream> tcp_stream(tcp::socket socket) {
  return std::make_unique<TcpStream>(std::move(socket));
}

TcpConnector::TcpConnector(Loop& loop, std::string host, std::uint16_t port)
    : loop_(loop), host_(std::move(host)), port_(port), name_(origin_name(host_, port_)) {}

Task<Result<std::unique_ptr<Stream>>> TcpConnector::connect(base::Instant deadline) {
  auto socket = co_await connect_tcp(loop_, host_, port_, deadline);
  if (!socket.ok()) co_return cannot_connect(std::move(socket).error(), name_);
  co_return tcp_stream(std::move(*socket));
}

}  // namespace net::inline transport
