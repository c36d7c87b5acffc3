// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/secret.h"
#include "net/files/token_file.h"

#include <optional>
#include <string>

namespace slurm::inline client {

// The token for calls to Slurm: a fixed one, or a file whose content is replaced while the process
// runs (SLURM_JWT_FILE), with the guarantees of net::TokenFile.
class TokenSource {
 public:
  static constexpr auto kLookAgain = net::TokenFile::kCheckInterval;

  static TokenSource fixed(base::Secret token);
  static TokenSource from_file(std::string path, const base::Clock& clock);

  base::Result<base::Secret> token();
  // Slurm rejected the token: the next use reads the file again.
  void refused();

 private:
  base::Secret fixed_;
  std::optional<net::TokenFile> file_;
};

// The token in the text of a file, without surrounding white space and without a leading
// "SLURM_JWT=", which `scontrol token` prints. Wipes the text.
base::Secret token_in(std::string& text);

}  // namespace slurm::inline client
