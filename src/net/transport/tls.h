// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/secret.h"

#include <memory>
#include <string>
#include <string_view>

struct ssl_ctx_st;

namespace net::inline transport {

// TLS options of a client, as in a kubeconfig. Texts are PEM.
struct TlsOptions {
  std::string ca;            // trusted authorities; empty: those of the system
  std::string certificate;   // of the client, with its chain; empty: none
  base::Secret private_key;  // of that certificate, not encrypted
  std::string server_name;   // expected instead of the host of the connection
  bool insecure = false;     // do not verify the server
};

// The TLS configuration that all connections to a server share; built once.
//
// Guarantees  TLS 1.2 or later; for a client, unless insecure, that the certificate of the server
//             is signed by `ca` and contains the host or address (subject alternative names only,
//             as in Go).
class TlsContext {
 public:
  // Kind::invalid, with the field, if a text is not PEM of its kind or key and certificate do not
  // match.
  static base::Result<std::shared_ptr<const TlsContext>> for_client(const TlsOptions& options);
  // For an HTTP/1.1 server with this certificate (and its chain) and key, both PEM. Errors as
  // above.
  static base::Result<std::shared_ptr<const TlsContext>> for_server(std::string_view certificate,
                                                                    const base::Secret& key);

  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;
  ~TlsContext();

  ssl_ctx_st* native() const { return context_; }
  const std::string& server_name() const { return server_name_; }
  bool insecure() const { return insecure_; }

 private:
  TlsContext(ssl_ctx_st* context, const TlsOptions& options);

  ssl_ctx_st* context_;
  std::string server_name_;
  bool insecure_;
};

}  // namespace net::inline transport
