// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "base/secret.h"

#include <cstdint>
#include <optional>
#include <string>

namespace slurm {

// The token with which we speak to Slurm: a fixed one, or a file that somebody rotates under our
// feet (SLURM_JWT_FILE).
//
// Guarantees  a changed file is noticed within kLookAgain, or at the next use after refused(); a
//             token that was read once serves on while the file is missing or empty, because a
//             rotation may be half done; without one the error names the file.
// Does not    check signature or expiry: Slurm does.
class TokenSource {
 public:
  static constexpr auto kLookAgain = std::chrono::seconds(2);

  static TokenSource fixed(base::Secret token);
  static TokenSource from_file(std::string path, const base::Clock& clock);

  base::Result<base::Secret> token();
  // Slurm did not accept it: look at the file again at the next use.
  void refused() { looked_at_ = base::Instant::min(); }

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

  base::Secret token_;
  std::string path_;  // empty: fixed
  const base::Clock* clock_ = nullptr;
  base::Instant looked_at_ = base::Instant::min();
  std::optional<Version> held_;
};

// The token in the text of a file: without the white space around it and without a leading
// "SLURM_JWT=", as `scontrol token` prints it. Wipes the text.
base::Secret token_in(std::string& text);

}  // namespace slurm
