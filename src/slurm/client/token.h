// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/secret.h"
#include "net/files/token_file.h"
#include "slurm/client/mint_token.h"

#include <optional>
#include <string>

namespace slurm::inline client {

// The token for calls to Slurm: a fixed one; a file whose content is replaced while the process
// runs (SLURM_JWT_FILE), with the guarantees of net::TokenFile; or minted with Slurm's own key, with
// the guarantees of TokenMint.
class TokenSource {
 public:
  static constexpr auto kLookAgain = net::TokenFile::kCheckInterval;

  static TokenSource fixed(base::Secret token);
  static TokenSource from_file(std::string path, const base::Clock& clock);

  static TokenSource minted(TokenMint mint);

  base::Result<base::Secret> token();
  // Slurm rejected the token: the next use reads the file, or mints a token, again.
  void refused();
  // The key was replaced. No effect on a source that does not mint.
  void set_key(base::Secret key);

 private:
  base::Secret fixed_;
  std::optional<net::TokenFile> file_;
  std::optional<TokenMint> mint_;
};

// The token in the text of a file, without surrounding white space and without a leading
// "SLURM_JWT=", which `scontrol token` prints. Wipes the text.
base::Secret token_in(std::string& text);

}  // namespace slurm::inline client
