// SPDX-License-Identifier: Apache-2.0
#include "net/async/loop.h"
#include "net/transport/connector.h"
#include "net/transport/deadline.h"
#include "net/transport/proxy_tunnel.h"
#include "net/transport/tcp_socket.h"
#include "net/transport/tls_stream.h"
#include "net/transport/tls_verify.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

namespace net::inline transport {
namespace {

namespace ssl = asio::ssl;
using asio::ip::tcp;
using base::Error;
using base::Kind;
using base::Result;
using ErrorCode = boost::system::error_code;

std::string problem_text(const ErrorCode& problem) {
  if (problem == ssl::error::stream_truncated || problem == asio::error::eof)
    return "the server closed the connection";
  if (problem.category() == asio::error::get_ssl_category()) {
    const int reason = ERR_GET_REASON(static_cast<unsigned long>(problem.value()));
    if (reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_PACKET_LENGTH_TOO_LONG)
      return "the server does not use TLS on this port";
  }
  return problem.message();
}

class TlsClientStream final : public TlsStream {
 public:
  TlsClientStream(tcp::socket socket, SSL* session, PeerCheck check)
      : TlsStream(std::move(socket), session), check_(std::move(check)) {}

  Task<Result<void>> handshake() {
    CO_TRY_VOID(expect_peer(tls().native_handle(), check_));
    const auto [problem] = co_await tls().async_handshake(ssl::stream_base::client,
                                                          asio::as_tuple(asio::use_awaitable));
    if (!problem) co_return Result<void>();
    if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
    if (!check_.problem.empty()) co_return Error(Kind::unreachable, check_.problem);
    co_return Error(Kind::unreachable, fmt::format("TLS handshake: {}", problem_text(problem)));
  }

 private:
  PeerCheck check_;  // the session refers to it, but only during the handshake
};

}  // namespace

TlsConnector::TlsConnector(Loop& loop,
                           std::string host,
                           std::uint16_t port,
                           std::shared_ptr<const TlsContext> context)
    : loop_(loop),
      host_(std::move(host)),
      port_(port),
      name_(origin_name(host_, port_)),
      context_(std::move(context)) {}

void TlsConnector::go_through(Proxy proxy) {
  proxy_ = std::move(proxy);
}

Task<Result<std::unique_ptr<Stream>>> TlsConnector::connect(base::Instant deadline) {
  const base::Instant begin = loop_.now();
  const Destination destination{host_, port_};
  auto socket = proxy_ ? co_await connect_through(loop_, *proxy_, destination, deadline)
                       : co_await connect_tcp(loop_, host_, port_, deadline);
  if (!socket.ok()) co_return cannot_connect(std::move(socket).error(), name_);

  SSL* session = SSL_new(context_->native());
  if (session == nullptr)
    co_return cannot_connect(Error(Kind::unreachable, "OpenSSL has no memory left"), name_);
  PeerCheck check{
      context_->server_name().empty() ? host_ : context_->server_name(), context_->insecure(), {}};
  auto stream = std::make_unique<TlsClientStream>(std::move(*socket), session, std::move(check));
  const Deadline guard(loop_, begin, deadline, *stream);
  auto done = co_await stream->handshake();
  if (guard.passed())
    done = Error(Kind::unreachable,
                 fmt::format("no answer within {}", duration_text(deadline - begin)));
  if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
  if (!done.ok()) co_return cannot_connect(std::move(done).error(), name_);
  co_return std::unique_ptr<Stream>(std::move(stream));
}

}  // namespace net::inline transport
