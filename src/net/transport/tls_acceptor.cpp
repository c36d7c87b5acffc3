// SPDX-License-Identifier: Apache-2.0
#include "net/transport/server_certificate.h"
#include "net/transport/tcp_acceptor.h"
#include "net/transport/tls_stream.h"

#include <fmt/format.h>

namespace net::inline transport {
namespace {

using asio::ip::tcp;
using base::Error;
using base::Kind;
using base::Result;

// Does the handshake in the first read: the reader sets the time limit, and a slow client only
// delays its own task.
class TlsServerStream final : public TlsStream {
 public:
  using TlsStream::TlsStream;

  Task<Result<std::size_t>> read_some(asio::mutable_buffer into) override {
    if (!handshake_done_) CO_TRY_VOID(co_await handshake());
    co_return co_await TlsStream::read_some(into);
  }

  Task<Result<void>> write(asio::const_buffer bytes) override {
    if (!handshake_done_) co_return Error(Kind::lost, "the TLS handshake is not complete");
    co_return co_await TlsStream::write(bytes);
  }

 private:
  Task<Result<void>> handshake() {
    if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
    const auto [problem] = co_await tls().async_handshake(asio::ssl::stream_base::server,
                                                          asio::as_tuple(asio::use_awaitable));
    if (problem)
      co_return broken(problem, is_cancelled(co_await asio::this_coro::cancellation_state));
    handshake_done_ = true;
    co_return Result<void>();
  }

  bool handshake_done_ = false;
};

}  // namespace

Result<std::unique_ptr<Acceptor>> listen_tls(Loop& loop,
                                             const ListenAddress& address,
                                             std::shared_ptr<const ServerCertificate> certificate) {
  return listen(
      loop,
      address,
      [certificate = std::move(certificate)](tcp::socket socket) -> std::unique_ptr<Stream> {
        SSL* session = SSL_new(certificate->context()->native());
        if (session == nullptr) return nullptr;
        return std::make_unique<TlsServerStream>(std::move(socket), session);
      });
}

}  // namespace net::inline transport
