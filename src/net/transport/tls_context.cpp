// SPDX-License-Identifier: Apache-2.0
#include "net/transport/openssl_freed.h"
#include "net/transport/tls.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace net::inline transport {
namespace {

using base::Error;
using base::Kind;
using base::Result;

using Bio = std::unique_ptr<BIO, Freed<BIO_free_all>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Context = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;

Bio reader(std::string_view text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// Without this OpenSSL would ask for a password on the terminal.
int no_password(char*, int, int, void*) {
  return 0;
}

Result<std::vector<Certificate>> certificates(std::string_view pem, std::string_view what) {
  std::vector<Certificate> found;
  const Bio bio = reader(pem);
  while (Certificate one{PEM_read_bio_X509(bio.get(), nullptr, no_password, nullptr)})
    found.push_back(std::move(one));
  const bool at_the_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  ERR_clear_error();
  if (found.empty() || !at_the_end)
    return Error(Kind::invalid, fmt::format("{} is not a certificate in PEM form", what));
  return found;
}

Result<void> trust(SSL_CTX* context, const std::string& ca) {
  if (ca.empty()) {
    if (SSL_CTX_set_default_verify_paths(context) != 1)
      return Error(Kind::internal, "the system's certificate authorities cannot be read");
    return {};
  }
  TRY(const auto authorities, certificates(ca, "the certificate authority"));
  X509_STORE* store = SSL_CTX_get_cert_store(context);
  for (const Certificate& one : authorities) X509_STORE_add_cert(store, one.get());
  ERR_clear_error();  // a certificate that is listed twice is no problem
  return {};
}

// The owner of the certificate, for messages: "client" or "server".
Result<void> identify(SSL_CTX* context,
                      std::string_view certificate,
                      const base::Secret& private_key,
                      std::string_view whose) {
  TRY(const auto chain, certificates(certificate, fmt::format("the {} certificate", whose)));

  const Bio bio = reader(private_key.reveal());
  const Key key(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr));
  ERR_clear_error();
  if (!key)
    return Error(Kind::invalid,
                 fmt::format("the {}'s private key is not an unencrypted PEM key", whose));

  bool taken = SSL_CTX_use_certificate(context, chain.front().get()) == 1;
  for (std::size_t i = 1; i < chain.size() && taken; ++i)
    taken = SSL_CTX_add1_chain_cert(context, chain[i].get()) == 1;
  const bool matches = taken && SSL_CTX_use_PrivateKey(context, key.get()) == 1;
  ERR_clear_error();
  if (!taken)
    return Error(Kind::invalid, fmt::format("OpenSSL does not accept the {} certificate", whose));
  if (!matches)
    return Error(Kind::invalid,
                 fmt::format("the {}'s private key does not belong to its certificate", whose));
  return {};
}

Result<void> identify_client(SSL_CTX* context, const TlsOptions& options) {
  if (options.certificate.empty() && options.private_key.empty()) return {};
  if (options.certificate.empty() || options.private_key.empty())
    return Error(Kind::invalid,
                 "a client certificate needs its private key, and a private key its certificate");
  return identify(context, options.certificate, options.private_key, "client");
}

constexpr std::array<unsigned char, 9> kHttp1 = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

Result<void> offer_http1(SSL_CTX* context) {
  if (SSL_CTX_set_alpn_protos(context, kHttp1.data(), kHttp1.size()) != 0)
    return Error(Kind::internal, "OpenSSL does not accept the protocol list");
  return {};
}

// Only called if the client offers a protocol.
int choose_http1(SSL*,
                 const unsigned char** chosen,
                 unsigned char* chosen_size,
                 const unsigned char* offered,
                 unsigned int offered_size,
                 void*) {
  unsigned char* choice = nullptr;
  const int found = SSL_select_next_proto(
      &choice, chosen_size, kHttp1.data(), kHttp1.size(), offered, offered_size);
  *chosen = choice;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

Result<Context> new_context(const SSL_METHOD* side) {
  ERR_clear_error();
  Context context(SSL_CTX_new(side));
  if (!context || SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION) != 1)
    return Error(Kind::internal, "OpenSSL cannot be set up");
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);  // less memory for idle connections
  return context;
}

}  // namespace

Result<std::shared_ptr<const TlsContext>> TlsContext::for_client(const TlsOptions& options) {
  TRY(Context context, new_context(TLS_client_method()));
  TRY_VOID(trust(context.get(), options.ca));
  TRY_VOID(identify_client(context.get(), options));
  TRY_VOID(offer_http1(context.get()));
  // A CA bundle may contain only an intermediate authority: every listed certificate is trusted.
  X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context.get()), X509_V_FLAG_PARTIAL_CHAIN);
  return std::shared_ptr<const TlsContext>(new TlsContext(context.release(), options));
}

Result<std::shared_ptr<const TlsContext>> TlsContext::for_server(std::string_view certificate,
                                                                 const base::Secret& key) {
  TRY(Context context, new_context(TLS_server_method()));
  TRY_VOID(identify(context.get(), certificate, key, "server"));
  SSL_CTX_set_alpn_select_cb(context.get(), choose_http1, nullptr);
  // Every connection uses the current certificate: no session is reused.
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  return std::shared_ptr<const TlsContext>(new TlsContext(context.release(), TlsOptions()));
}

TlsContext::TlsContext(ssl_ctx_st* context, const TlsOptions& options)
    : context_(context), server_name_(options.server_name), insecure_(options.insecure) {}

TlsContext::~TlsContext() {
  SSL_CTX_free(context_);
}

}  // namespace net::inline transport
