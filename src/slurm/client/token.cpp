// SPDX-License-Identifier: Apache-2.0
#include "slurm/client/token.h"

#include <string_view>
#include <utility>

namespace slurm::inline client {

base::Secret token_in(std::string& text) {
  constexpr std::string_view kName = "SLURM_JWT=";
  std::string_view found = net::trimmed(text);
  if (found.starts_with(kName)) found = net::trimmed(found.substr(kName.size()));
  base::Secret token(found);
  base::wipe(text);
  text.clear();
  return token;
}

TokenSource TokenSource::fixed(base::Secret token) {
  TokenSource source;
  source.fixed_ = std::move(token);
  return source;
}

TokenSource TokenSource::from_file(std::string path, const base::Clock& clock) {
  TokenSource source;
  source.file_.emplace("the Slurm token", std::move(path), clock, token_in);
  return source;
}

TokenSource TokenSource::minted(TokenMint mint) {
  TokenSource source;
  source.mint_ = std::move(mint);
  return source;
}

base::Result<base::Secret> TokenSource::token() {
  if (file_) return file_->token();
  if (mint_) return mint_->token();
  if (fixed_.empty()) return base::Error(base::Kind::unauthorized, "the Slurm token is empty");
  return fixed_;
}

void TokenSource::refused() {
  if (file_) file_->refused();
  if (mint_) mint_->refused();
}

void TokenSource::set_key(base::Secret key) {
  if (mint_) mint_->set_key(std::move(key));
}

}  // namespace slurm::inline client
