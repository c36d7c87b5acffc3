// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/secret.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace slurmop::conf {

// Returns the SHA-256 of the bytes as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

// One rendered configuration file.
//
// Guarantees  equal input gives equal bytes and an equal hash. A secret file prints without its
//             content, and its hash tells nothing about the password in it: the hash covers the
//             text without the password, and the version that the caller gave to the password.
class File {
 public:
  static File plain(std::string name, std::string content);
  // `masked` is the content without the secret value, `version` changes when the secret changes
  // (the resourceVersion of the Secret).
  static File secret(std::string name,
                     base::Secret content,
                     std::string_view masked,
                     std::string_view version);

  const std::string& name() const { return name_; }
  // 0644; 0600 for a secret file, which belongs into a Secret and never into a ConfigMap or a log.
  unsigned mode() const { return is_secret_ ? 0600 : 0644; }
  bool is_secret() const { return is_secret_; }
  // For the code that stores the file.
  std::string_view reveal() const { return content_.reveal(); }
  const std::string& hash() const { return hash_; }

 private:
  File(std::string name, base::Secret content, bool is_secret, std::string hash);

  std::string name_;
  base::Secret content_;
  bool is_secret_ = false;
  std::string hash_;
};

}  // namespace slurmop::conf

template <>
struct fmt::formatter<slurmop::conf::File> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const slurmop::conf::File& file, Context& context) const {
    return fmt::format_to(context.out(), "{} ({})", file.name(), file.hash().substr(0, 12));
  }
};
