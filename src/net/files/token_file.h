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

// The text without the white space around it.
std::string_view trimmed(std::string_view text);

// A token in a file that somebody rotates under our feet: the kubelet, a secret's volume, a person.
//
// Guarantees  a changed file is noticed within kLookAgain, or at the next use after refused(); a
//             token that was read once serves on while the file is missing or empty, because a
//             rotation may be half done; without one the error (Kind::unauthorized) names the file.
// Does not    check signature or expiry: the server does.
class TokenFile {
 public:
  static constexpr auto kLookAgain = std::chrono::seconds(2);

  // The token in the text of the file; wipes the text.
  using Extract = base::Secret (*)(std::string& text);
  static base::Secret whole_text(std::string& text);

  // `what` is for messages: "the Slurm token". Expects a clock that outlives it.
  TokenFile(std::string what,
            std::string path,
            const base::Clock& clock,
            Extract extract = whole_text);

  base::Result<base::Secret> token();
  // It was not accepted: read the file again at the next use, whatever it looks like.
  void refused();

  const std::string& path() const { return path_; }

 private:
  // What stat(2) says of the file whose content we hold.
  struct Version {
    std::int64_t changed_ns = 0;
    std::int64_t size = 0;
    std::uint64_t inode = 0;
    friend bool operator==(const Version&, const Version&) = default;
  };

  base::Result<void> look();
  static std::optional<Version> version(const std::string& path);

  std::string what_;
  std::string path_;
  const base::Clock* clock_;
  Extract extract_;
  base::Secret token_;
  base::Instant looked_at_ = base::Instant::min();
  std::optional<Version> held_;
};

}  // namespace net::inline files
