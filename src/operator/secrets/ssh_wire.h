// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/secrets/wiped_bytes.h"

#include <openssl/bn.h>

#include <cstdint>
#include <string_view>

namespace slurmop::secrets {

// Writes the data types of the SSH protocol (RFC 4251, section 5).
//
// Guarantees  the written bytes are zeroed when it is destroyed.
class SshWriter {
 public:
  void raw(std::string_view bytes);
  void uint32(std::uint32_t number);
  // The length and the bytes.
  void string(std::string_view bytes);
  // A number that is not negative.
  void mpint(const BIGNUM* number);

  std::string_view view() const { return {bytes_.data(), bytes_.size()}; }

 private:
  WipedBytes bytes_;
};

}  // namespace slurmop::secrets
