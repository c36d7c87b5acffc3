// SPDX-License-Identifier: Apache-2.0
// The implementation of testing/tls.h. It ends in _test.cpp so that it is only part of the test
// program.
#include "net/testing/tls.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <array>
#include <atomic>
#include <cstdlib>

namespace net::testing {
namespace {

template <class T>
T* must(T* object) {
  if (object == nullptr) std::abort();
  return object;
}

void must(int result) {
  if (result <= 0) std::abort();
}

template <class Write>
std::string pem(Write write) {
  const std::unique_ptr<BIO, decltype(&BIO_free_all)> bio(must(BIO_new(BIO_s_mem())), BIO_free_all);
  must(write(bio.get()));
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

std::unique_ptr<BIO, decltype(&BIO_free_all)> reader(const std::string& text) {
  return {must(BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))), BIO_free_all};
}

X509* read_certificate(const std::string& text) {
  return must(PEM_read_bio_X509(reader(text).get(), nullptr, nullptr, nullptr));
}

EVP_PKEY* read_key(const std::string& text) {
  return must(PEM_read_bio_PrivateKey(reader(text).get(), nullptr, nullptr, nullptr));
}

void add_extension(X509* certificate, X509* issuer, int id, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = must(X509V3_EXT_conf_nid(nullptr, &context, id, value.c_str()));
  must(X509_add_ext(certificate, extension, -1));
  X509_EXTENSION_free(extension);
}

std::string common_name(X509* certificate) {
  std::array<char, 128> text{};
  X509_NAME_get_text_by_NID(
      X509_get_subject_name(certificate), NID_commonName, text.data(), text.size());
  return text.data();
}

int choose_http1(SSL*,
                 const unsigned char** chosen,
                 unsigned char* size,
                 const unsigned char* offered,
                 unsigned int offered_size,
                 void*) {
  static constexpr std::array<unsigned char, 9> kHttp1 = {
      8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  unsigned char* out = nullptr;
  const int found =
      SSL_select_next_proto(&out, size, kHttp1.data(), kHttp1.size(), offered, offered_size);
  *chosen = out;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

}  // namespace

Identity make_identity(const CertificateOptions& options, const Identity* issuer) {
  static std::atomic<long> serial{1};
  EVP_PKEY* key = must(EVP_EC_gen("P-256"));
  X509* certificate = must(X509_new());
  X509_set_version(certificate, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial++);
  const auto seconds = [](std::chrono::hours hours) { return hours.count() * 3600; };
  X509_gmtime_adj(X509_getm_notBefore(certificate), seconds(options.valid_from));
  X509_gmtime_adj(X509_getm_notAfter(certificate), seconds(options.valid_until));
  X509_set_pubkey(certificate, key);
  const auto* name = reinterpret_cast<const unsigned char*>(options.name.c_str());
  must(X509_NAME_add_entry_by_txt(
      X509_get_subject_name(certificate), "CN", MBSTRING_ASC, name, -1, -1, 0));

  X509* signer = issuer != nullptr ? read_certificate(issuer->certificate) : certificate;
  EVP_PKEY* signer_key = issuer != nullptr ? read_key(issuer->key) : key;
  X509_set_issuer_name(certificate, X509_get_subject_name(signer));
  if (options.authority) {
    add_extension(certificate, signer, NID_basic_constraints, "critical,CA:TRUE");
    add_extension(certificate, signer, NID_subject_key_identifier, "hash");
  }
  if (!options.names.empty())
    add_extension(certificate, signer, NID_subject_alt_name, options.names);
  must(X509_sign(certificate, signer_key, EVP_sha256()));

  Identity made;
  made.certificate = pem([&](BIO* out) { return PEM_write_bio_X509(out, certificate); });
  made.key = pem([&](BIO* out) {
    return PEM_write_bio_PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr);
  });
  if (issuer != nullptr) {
    X509_free(signer);
    EVP_PKEY_free(signer_key);
  }
  X509_free(certificate);
  EVP_PKEY_free(key);
  return made;
}

TlsServer::TlsServer(Options options)
    : options_(std::move(options)), thread_([this] { serve(); }) {}

TlsServer::~TlsServer() {
  listener_.stop();
  wait();
}

void TlsServer::wait() {
  if (thread_.joinable()) thread_.join();
}

void TlsServer::serve() {
  const Socket socket = listener_.accept();
  if (socket.fd() < 0) return;

  SSL_CTX* context = must(SSL_CTX_new(TLS_server_method()));
  SSL_CTX_set_max_proto_version(context, options_.highest_version);
  X509* certificate = read_certificate(options_.identity.certificate);
  EVP_PKEY* key = read_key(options_.identity.key);
  must(SSL_CTX_use_certificate(context, certificate));
  must(SSL_CTX_use_PrivateKey(context, key));
  SSL_CTX_set_alpn_select_cb(context, choose_http1, nullptr);
  if (!options_.client_ca.empty()) {
    X509* authority = read_certificate(options_.client_ca);
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority);
    X509_free(authority);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }

  SSL* ssl = must(SSL_new(context));
  SSL_set_fd(ssl, socket.fd());
  accepted = SSL_accept(ssl) == 1;
  if (accepted) {
    const char* sni = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    server_name = sni != nullptr ? sni : "";
    const unsigned char* alpn = nullptr;
    unsigned int alpn_size = 0;
    SSL_get0_alpn_selected(ssl, &alpn, &alpn_size);
    protocol.assign(reinterpret_cast<const char*>(alpn), alpn_size);
    version = SSL_get_version(ssl);
    if (X509* client = SSL_get1_peer_certificate(ssl)) {
      client_name = common_name(client);
      X509_free(client);
    }
    if (options_.talk) options_.talk(ssl);
  }
  SSL_free(ssl);
  SSL_CTX_free(context);
  X509_free(certificate);
  EVP_PKEY_free(key);
  ERR_clear_error();
}

std::string tls_read(SSL* ssl, std::size_t size) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (text.size() < size) {
    const int got =
        SSL_read(ssl, buffer.data(), static_cast<int>(std::min(buffer.size(), size - text.size())));
    if (got <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return text;
}

void tls_write(SSL* ssl, const std::string& text) {
  (void)SSL_write(ssl, text.data(), static_cast<int>(text.size()));
}

}  // namespace net::testing
