// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/secret.h"
#include "net/files/token_file.h"

#include <optional>
#include <string>

namespace slurm::inline client {

// The token with which we speak to Slurm: a fixed one, or a file that somebody rotates under our
// feet (SLURM_JWT_FILE), with the guarantees of net::TokenFile.
class TokenSource {
 public:
  static constexpr auto kLookAgain = net::TokenFile::kCheckInterval;

  static TokenSource fixed(base::Secret token);
  static TokenSource from_file(std::string path, const base::Clock& clock);

  base::Result<base::Secret> token();
  // Slurm did not accept it: look at the file again at the next use.
  void refused();

 private:
  base::Secret fixed_;
  std::optional<net::TokenFile> file_;
};

// The token in the text of a file: without the white space around it and without a leading
// "SLURM_JWT=", as `scontrol token` prints it. Wipes the text.
base::Secret token_in(std::string& text);

}  // namespace slurm::inline client
