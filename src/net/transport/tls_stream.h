// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/transport/socket_io.h"
#include "net/transport/stream.h"

#include <boost/asio/ssl/stream.hpp>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <utility>

// Only for the .cpp files of this folder, because its includes are heavy.
namespace net::inline transport {

// Common part of both sides of TLS: everything except the handshake.
class TlsStream : public Stream {
 public:
  // Takes ownership of `session`.
  TlsStream(asio::ip::tcp::socket socket, SSL* session) : stream_(std::move(socket), session) {}

  Task<base::Result<std::size_t>> read_some(asio::mutable_buffer into) override {
    return read_from(stream_, into);
  }

  Task<base::Result<void>> write(asio::const_buffer bytes) override {
    return write_to(stream_, bytes);
  }

  // Without a TLS close_notify: HTTP marks the ends that matter.
  void close() noexcept override {
    boost::system::error_code ignored;
    stream_.lowest_layer().close(ignored);
  }

  // The end may be in the socket, or already in OpenSSL's buffer behind the last answer.
  bool looks_alive() override {
    char byte = 0;
    ERR_clear_error();
    const int got = SSL_peek(stream_.native_handle(), &byte, 1);
    const bool no_data =
        got <= 0 && SSL_get_error(stream_.native_handle(), got) == SSL_ERROR_WANT_READ;
    ERR_clear_error();
    return no_data && looks_idle(stream_.next_layer());
  }

 protected:
  asio::ssl::stream<asio::ip::tcp::socket>& tls() { return stream_; }

 private:
  asio::ssl::stream<asio::ip::tcp::socket> stream_;
};

}  // namespace net::inline transport
