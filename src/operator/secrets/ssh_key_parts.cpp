// SPDX-License-Identifier: Apache-2.0
#include "operator/secrets/ssh_key_parts.h"

#include <fmt/format.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <array>
#include <memory>
#include <optional>

namespace slurmop::secrets {
namespace {

using base::Error;
using base::Kind;
using base::Result;

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Number = std::unique_ptr<BIGNUM, Freed<BN_clear_free>>;

constexpr std::size_t kEd25519Bytes = 32;
constexpr unsigned kRsaBits = 3072;
constexpr std::string_view kCurve = "nistp521";

unsigned char* bytes_of(WipedBytes& bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}

std::string_view view(const WipedBytes& bytes) {
  return {bytes.data(), bytes.size()};
}

Number number_of(const Key& key, const char* name) {
  BIGNUM* number = nullptr;
  return Number(EVP_PKEY_get_bn_param(key.get(), name, &number) == 1 ? number : nullptr);
}

std::optional<SshKeyParts> ed25519() {
  const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  WipedBytes open(kEd25519Bytes);
  WipedBytes seed(kEd25519Bytes);
  std::size_t open_size = open.size();
  std::size_t seed_size = seed.size();
  const bool made = key &&
                    EVP_PKEY_get_raw_public_key(key.get(), bytes_of(open), &open_size) == 1 &&
                    EVP_PKEY_get_raw_private_key(key.get(), bytes_of(seed), &seed_size) == 1 &&
                    open_size == kEd25519Bytes && seed_size == kEd25519Bytes;
  if (!made) return std::nullopt;
  SshKeyParts parts;
  parts.public_blob.string(ssh_name(SshKeyType::ed25519));
  parts.public_blob.string(view(open));
  parts.private_fields.raw(parts.public_blob.view());
  WipedBytes both = seed;  // the private value of SSH is the seed and the public key
  both.insert(both.end(), open.begin(), open.end());
  parts.private_fields.string(view(both));
  return parts;
}

std::optional<SshKeyParts> ecdsa() {
  const Key key(EVP_EC_gen("P-521"));
  if (!key) return std::nullopt;
  unsigned char* encoded = nullptr;
  const std::size_t size = EVP_PKEY_get1_encoded_public_key(key.get(), &encoded);
  const std::unique_ptr<unsigned char, decltype([](unsigned char* p) { OPENSSL_free(p); })> point(
      encoded);
  const Number secret = number_of(key, OSSL_PKEY_PARAM_PRIV_KEY);
  if (size == 0 || !secret) return std::nullopt;
  SshKeyParts parts;
  parts.public_blob.string(ssh_name(SshKeyType::ecdsa_p521));
  parts.public_blob.string(kCurve);
  parts.public_blob.string({reinterpret_cast<const char*>(point.get()), size});
  parts.private_fields.raw(parts.public_blob.view());
  parts.private_fields.mpint(secret.get());
  return parts;
}

std::optional<SshKeyParts> rsa() {
  const Key key(EVP_RSA_gen(kRsaBits));
  if (!key) return std::nullopt;
  const Number n = number_of(key, OSSL_PKEY_PARAM_RSA_N);
  const Number e = number_of(key, OSSL_PKEY_PARAM_RSA_E);
  const Number d = number_of(key, OSSL_PKEY_PARAM_RSA_D);
  const Number inverse = number_of(key, OSSL_PKEY_PARAM_RSA_COEFFICIENT1);
  const Number p = number_of(key, OSSL_PKEY_PARAM_RSA_FACTOR1);
  const Number q = number_of(key, OSSL_PKEY_PARAM_RSA_FACTOR2);
  if (!n || !e || !d || !inverse || !p || !q) return std::nullopt;
  SshKeyParts parts;
  parts.public_blob.string(ssh_name(SshKeyType::rsa_3072));
  parts.public_blob.mpint(e.get());
  parts.public_blob.mpint(n.get());
  parts.private_fields.string(ssh_name(SshKeyType::rsa_3072));
  for (const Number* number : {&n, &e, &d, &inverse, &p, &q}) {
    parts.private_fields.mpint(number->get());
  }
  return parts;
}

std::optional<SshKeyParts> generate(SshKeyType type) {
  switch (type) {
    case SshKeyType::ed25519: return ed25519();
    case SshKeyType::ecdsa_p521: return ecdsa();
    case SshKeyType::rsa_3072: return rsa();
  }
  return std::nullopt;
}

}  // namespace

std::string_view ssh_name(SshKeyType type) {
  switch (type) {
    case SshKeyType::ed25519: return "ssh-ed25519";
    case SshKeyType::ecdsa_p521: return "ecdsa-sha2-nistp521";
    case SshKeyType::rsa_3072: return "ssh-rsa";
  }
  return "";
}

Result<SshKeyParts> generate_ssh_key(SshKeyType type) {
  std::optional<SshKeyParts> parts = generate(type);
  ERR_clear_error();
  if (parts) return std::move(*parts);
  return Error(Kind::internal, fmt::format("OpenSSL cannot make a key of type {}", ssh_name(type)));
}

}  // namespace slurmop::secrets
