// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: generated certificates, and a TLS server in a thread that uses OpenSSL directly.

#include "net/testing/socket.h"

#include <openssl/ssl.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace net::testing {

struct Identity {
  std::string certificate;  // PEM
  std::string key;          // PEM
};

struct CertificateOptions {
  std::string name = "test";  // common name
  std::string names;          // "DNS:a.example,IP:127.0.0.1"; empty: none
  bool authority = false;
  std::chrono::hours valid_from{-1};
  std::chrono::hours valid_until{1};
};

// Signed by `issuer`, or self-signed if that is null.
Identity make_identity(const CertificateOptions& options, const Identity* issuer);

// Serves one connection: the handshake, then `talk`.
class TlsServer {
 public:
  struct Options {
    Identity identity;
    std::string client_ca;  // PEM; not empty: the client must present a certificate of it
    int highest_version = TLS1_3_VERSION;
    std::function<void(SSL*)> talk;
  };

  explicit TlsServer(Options options);
  ~TlsServer();

  std::uint16_t port() const { return listener_.port(); }
  // Waits for the end of the connection. The members below are valid after it.
  void wait();

  bool accepted = false;
  std::string server_name;  // SNI
  std::string protocol;     // ALPN
  std::string version;
  std::string client_name;  // common name of the client's certificate

 private:
  void serve();

  Options options_;
  Listener listener_;
  std::thread thread_;
};

std::string tls_read(SSL* ssl, std::size_t size);
void tls_write(SSL* ssl, const std::string& text);

}  // namespace net::testing
