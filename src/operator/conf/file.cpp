// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/file.h"

#include <openssl/sha.h>

#include <array>
#include <utility>

namespace slurmop::conf {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  std::string out;
  for (const unsigned char byte : digest) fmt::format_to(std::back_inserter(out), "{:02x}", byte);
  return out;
}

File::File(std::string name, base::Secret content, bool is_secret, std::string hash)
    : name_(std::move(name)),
      content_(std::move(content)),
      is_secret_(is_secret),
      hash_(std::move(hash)) {}

File File::plain(std::string name, std::string content) {
  std::string hash = sha256_hex(content);
  return {std::move(name), base::Secret(content), false, std::move(hash)};
}

File File::secret(std::string name,
                  base::Secret content,
                  std::string_view masked,
                  std::string_view version) {
  std::string hashed(masked);
  hashed.push_back('\0');
  hashed.append(version);
  return {std::move(name), std::move(content), true, sha256_hex(hashed)};
}

}  // namespace slurmop::conf
