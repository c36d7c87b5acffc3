// SPDX-License-Identifier: Apache-2.0
#include "net/transport/self_signed.h"

#include "net/transport/openssl_freed.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <cstdint>
#include <memory>

namespace net::inline transport {
namespace {

using base::Error;
using base::Kind;
using base::Result;

using Bio = std::unique_ptr<BIO, Freed<BIO_free_all>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;

constexpr long kTenYears = 10L * 365 * 24 * 3600;

Error failed() {
  return Error(Kind::internal, "OpenSSL cannot make a certificate");
}

bool add_name(X509* certificate, const std::string& name) {
  const auto* text = reinterpret_cast<const unsigned char*>(name.c_str());
  X509_NAME* subject = X509_get_subject_name(certificate);
  if (X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, text, -1, -1, 0) != 1) return false;
  const Extension names(
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, ("DNS:" + name).c_str()));
  return names && X509_add_ext(certificate, names.get(), -1) == 1 &&
         X509_set_issuer_name(certificate, subject) == 1;
}

// Positive and unique: browsers and kubelets distinguish certificates by it.
bool add_serial(X509* certificate) {
  std::uint32_t serial = 0;
  return RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1 &&
         ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial + 1ULL) == 1;
}

bool fill(X509* certificate, EVP_PKEY* key, const std::string& name) {
  return X509_set_version(certificate, X509_VERSION_3) == 1 && add_serial(certificate) &&
         X509_gmtime_adj(X509_getm_notBefore(certificate), 0) != nullptr &&
         X509_gmtime_adj(X509_getm_notAfter(certificate), kTenYears) != nullptr &&
         X509_set_pubkey(certificate, key) == 1 && add_name(certificate, name) &&
         X509_sign(certificate, key, EVP_sha256()) > 0;
}

std::string text_in(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

}  // namespace

Result<KeyPair> self_signed(const std::string& name) {
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate(X509_new());
  const Bio certificate_text(BIO_new(BIO_s_mem()));
  const Bio key_text(BIO_new(BIO_s_secmem()));
  if (!key || !certificate || !certificate_text || !key_text) return failed();
  if (!fill(certificate.get(), key.get(), name)) return failed();
  const bool written = PEM_write_bio_X509(certificate_text.get(), certificate.get()) == 1 &&
                       PEM_write_bio_PrivateKey(
                           key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1;
  if (!written) return failed();
  std::string secret = text_in(key_text.get());
  return KeyPair{text_in(certificate_text.get()), base::Secret::consume(secret)};
}

}  // namespace net::inline transport
