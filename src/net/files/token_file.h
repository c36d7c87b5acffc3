// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "base/secret.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace net::inline files {

// Returns the text without surrounding white space.
std::string_view trimmed(std::string_view text);

// A token in a file that is rotated while the process runs: by the kubelet, a Secret volume, or a
// person.
//
// Guarantees  a changed file is noticed within kCheckInterval, or at the next use after refused(). A
//             token that was read once stays in use while the file is missing or empty, because a
//             rotation may be incomplete. Without a token the error (Kind::unauthorized) names the
//             file.
// Does not    check signature or expiry: the server does.
class TokenFile {
 public:
  static constexpr auto kCheckInterval = std::chrono::seconds(2);

  // Extracts the token from the text of the file; wipes the text.
  using Extract = base::Secret (*)(std::string& text);
  static base::Secret whole_text(std::string& text);

  // `what` is used in messages: "the Slurm token". Expects a clock that outlives it.
  TokenFile(std::string what,
            std::string path,
            const base::Clock& clock,
            Extract extract = whole_text);

  base::Result<base::Secret> token();
  // The server rejected the token: read the file again at the next use, even if it looks unchanged.
  void refused();

  const std::string& path() const { return path_; }

 private:
  // The stat(2) data of the file whose content is held.
  struct Version {
    std::int64_t changed_ns = 0;
    std::int64_t size = 0;
    std::uint64_t inode = 0;
    friend bool operator==(const Version&, const Version&) = default;
  };

  base::Result<void> read_if_changed();
  static std::optional<Version> version(const std::string& path);

  std::string what_;
  std::string path_;
  const base::Clock* clock_;
  Extract extract_;
  base::Secret token_;
  base::Instant checked_at_ = base::Instant::min();
  std::optional<Version> held_;
};

}  // namespace net::inline files
