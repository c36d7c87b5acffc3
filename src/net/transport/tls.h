// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/secret.h"

#include <memory>
#include <string>
#include <string_view>

struct ssl_ctx_st;

namespace net::inline transport {

// How to speak TLS to a server, as a kubeconfig says it. Texts are PEM.
struct TlsOptions {
  std::string ca;            // whom to trust; empty: the system's authorities
  std::string certificate;   // ours, with its chain; empty: none
  base::Secret private_key;  // of that certificate, not encrypted
  std::string server_name;   // expected instead of the host that is connected to
  bool insecure = false;     // do not verify the peer at all
};

// The part of TLS that all connections to a server share; built once.
//
// Guarantees  TLS 1.2 or later; to a client, unless insecure, that the server's certificate leads
//             to `ca` and names the host or address (subject alternative names only, as Go does).
class TlsContext {
 public:
  // Kind::invalid, with the field to look at, if a text is no PEM of its kind or key and
  // certificate do not belong together.
  static base::Result<std::shared_ptr<const TlsContext>> for_client(const TlsOptions& options);
  // For HTTP/1.1 with this certificate (and its chain) and key, both PEM. Errors as above.
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
