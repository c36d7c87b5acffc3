// SPDX-License-Identifier: Apache-2.0
#include "slurm/client/mint_token.h"

#include "base/base64.h"
#include "json/value.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <utility>

namespace slurm::inline client {
namespace {

std::string encoded(const json::Object& part) {
  return base::encode_base64(json::Value(part).dump(), base::Base64::url_unpadded);
}

}  // namespace

base::Result<base::Secret> mint_token(const base::Secret& key,
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

TokenMint::TokenMint(base::Secret key,
                     std::string user,
                     std::chrono::seconds lifetime,
                     const base::Clock& clock)
    : key_(std::move(key)), user_(std::move(user)), lifetime_(lifetime), clock_(&clock) {}

// Calendar time may be set back: a token from the future is minted again.
bool TokenMint::is_fresh(base::WallTime now) const {
  return !token_.empty() && minted_at_ <= now && now - minted_at_ <= lifetime_ / 2;
}

base::Result<base::Secret> TokenMint::token() {
  const base::WallTime now = clock_->wall();
  if (is_fresh(now)) return token_;
  if (key_.empty()) {
    return base::Error(base::Kind::unauthorized, "the key for Slurm tokens is empty");
  }
  TRY(token_, mint_token(key_, user_, lifetime_, now));
  minted_at_ = now;
  return token_;
}

void TokenMint::set_key(base::Secret key) {
  if (key == key_) return;
  key_ = std::move(key);
  token_ = base::Secret();
}

}  // namespace slurm::inline client
