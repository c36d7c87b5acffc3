// SPDX-License-Identifier: Apache-2.0
#include "net/transport/certificate_authority.h"

#include "net/transport/openssl_freed.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <array>
#include <ctime>
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

Error failed() {
  return Error(Kind::internal, "OpenSSL cannot make a certificate");
}

Certificate read_certificate(std::string_view pem) {
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  return Certificate(bio ? PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr) : nullptr);
}

Key read_key(const base::Secret& pem) {
  const auto& text = pem.reveal();
  const Bio bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  return Key(bio ? PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr) : nullptr);
}

std::string text_in(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

Result<KeyPair> written(X509* certificate, EVP_PKEY* key) {
  const Bio certificate_text(BIO_new(BIO_s_mem()));
  const Bio key_text(BIO_new(BIO_s_secmem()));
  const bool done =
      certificate_text && key_text &&
      PEM_write_bio_X509(certificate_text.get(), certificate) == 1 &&
      PEM_write_bio_PrivateKey(key_text.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1;
  if (!done) return failed();
  std::string secret = text_in(key_text.get());
  return KeyPair{text_in(certificate_text.get()), base::Secret::consume(secret)};
}

bool add_extension(X509* certificate, X509* issuer, int id, const std::string& text) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, id, text.c_str()));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

// 127 random bits: positive and unique.
bool add_serial(X509* certificate) {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) return false;
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x7FU) | 0x40U);
  BIGNUM* number = BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr);
  const bool done = number != nullptr &&
                    BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nullptr;
  BN_free(number);
  return done;
}

// Fields of both kinds of certificates.
bool begin(X509* certificate, EVP_PKEY* key, const std::string& name, const Validity& validity) {
  using std::chrono::system_clock;
  const auto* text = reinterpret_cast<const unsigned char*>(name.c_str());
  return X509_set_version(certificate, X509_VERSION_3) == 1 && add_serial(certificate) &&
         ASN1_TIME_set(X509_getm_notBefore(certificate), system_clock::to_time_t(validity.from)) !=
             nullptr &&
         ASN1_TIME_set(X509_getm_notAfter(certificate), system_clock::to_time_t(validity.until)) !=
             nullptr &&
         X509_set_pubkey(certificate, key) == 1 &&
         X509_NAME_add_entry_by_txt(
             X509_get_subject_name(certificate), "CN", MBSTRING_UTF8, text, -1, -1, 0) == 1;
}

bool sign_authority(X509* certificate, EVP_PKEY* key) {
  return X509_set_issuer_name(certificate, X509_get_subject_name(certificate)) == 1 &&
         add_extension(
             certificate, certificate, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
         add_extension(certificate, certificate, NID_key_usage, "critical,keyCertSign,cRLSign") &&
         add_extension(certificate, certificate, NID_subject_key_identifier, "hash") &&
         X509_sign(certificate, key, EVP_sha256()) > 0;
}

std::string alternative_names(const std::vector<std::string>& dns_names) {
  std::string text;
  for (const std::string& name : dns_names) text += (text.empty() ? "DNS:" : ",DNS:") + name;
  return text;
}

Result<std::chrono::system_clock::time_point> time_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1)
    return Error(Kind::invalid, "the certificate has no validity period");
  return std::chrono::system_clock::from_time_t(::timegm(&parts));
}

}  // namespace

Result<KeyPair> make_authority(const std::string& name, Validity validity) {
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate(X509_new());
  const bool made = key && certificate && begin(certificate.get(), key.get(), name, validity) &&
                    sign_authority(certificate.get(), key.get());
  if (!made) return failed();
  return written(certificate.get(), key.get());
}

Result<KeyPair> issue_certificate(const KeyPair& authority,
                                  const std::vector<std::string>& dns_names,
                                  Validity validity) {
  if (dns_names.empty()) return Error(Kind::invalid, "a server certificate needs a DNS name");
  const Certificate issuer = read_certificate(authority.certificate);
  const Key issuer_key = read_key(authority.key);
  if (!issuer || !issuer_key || X509_check_private_key(issuer.get(), issuer_key.get()) != 1)
    return Error(Kind::invalid, "the certificate and key of the authority do not match");
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate(X509_new());
  const bool made =
      key && certificate && begin(certificate.get(), key.get(), dns_names.front(), validity) &&
      X509_set_issuer_name(certificate.get(), X509_get_subject_name(issuer.get())) == 1 &&
      add_extension(certificate.get(), issuer.get(), NID_basic_constraints, "critical,CA:FALSE") &&
      add_extension(certificate.get(), issuer.get(), NID_key_usage, "critical,digitalSignature") &&
      add_extension(certificate.get(), issuer.get(), NID_ext_key_usage, "serverAuth") &&
      add_extension(
          certificate.get(), issuer.get(), NID_subject_alt_name, alternative_names(dns_names)) &&
      add_extension(certificate.get(), issuer.get(), NID_authority_key_identifier, "keyid") &&
      X509_sign(certificate.get(), issuer_key.get(), EVP_sha256()) > 0;
  if (!made) return failed();
  return written(certificate.get(), key.get());
}

Result<Validity> validity_of(std::string_view pem) {
  const Certificate certificate = read_certificate(pem);
  if (!certificate) return Error(Kind::invalid, "not a PEM certificate");
  TRY(const auto from, time_of(X509_get0_notBefore(certificate.get())));
  TRY(const auto until, time_of(X509_get0_notAfter(certificate.get())));
  return Validity{from, until};
}

Result<bool> is_signed_by(std::string_view pem, std::string_view authority) {
  const Certificate certificate = read_certificate(pem);
  const Certificate issuer = read_certificate(authority);
  if (!certificate || !issuer) return Error(Kind::invalid, "not a PEM certificate");
  const Key key(X509_get_pubkey(issuer.get()));
  return key && X509_verify(certificate.get(), key.get()) == 1;
}

}  // namespace net::inline transport
