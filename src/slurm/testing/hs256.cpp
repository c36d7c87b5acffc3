// SPDX-License-Identifier: Apache-2.0
#include "slurm/testing/hs256.h"

#include "base/base64.h"
#include "json/value.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

namespace slurm::testing {
namespace {

std::string encoded(const json::Object& part) {
  return base::encode_base64(json::Value(part).dump(), base::Base64::url_unpadded);
}

}  // namespace

base::Result<base::Secret> mint(const base::Secret& key,
                                std::string_view user,
                                std::chrono::seconds lifetime,
                                base::WallTime now) {
  if (key.empty()) return base::Error(base::Kind::invalid, "the key to sign with is empty");
  const auto issued = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  std::string token = encoded({{"alg", "HS256"}, {"typ", "JWT"}}) + '.' +
                      encoded({{"exp", issued + lifetime.count()}, {"iat", issued}, {"sun", user}});

  const std::string_view bytes = key.reveal();
  std::array<unsigned char, EVP_MAX_MD_SIZE> signature{};
  unsigned length = 0;
  if (HMAC(EVP_sha256(),
           bytes.data(),
           static_cast<int>(bytes.size()),
           reinterpret_cast<const unsigned char*>(token.data()),
           token.size(),
           signature.data(),
           &length) == nullptr) {
    return base::Error(base::Kind::internal, "OpenSSL could not sign a token");
  }
  token += '.';
  token += base::encode_base64({reinterpret_cast<const char*>(signature.data()), length},
                               base::Base64::url_unpadded);
  return base::Secret::consume(token);
}

}  // namespace slurm::testing
