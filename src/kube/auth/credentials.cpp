// SPDX-License-Identifier: Apache-2.0
#include "kube/auth/credentials.h"

namespace kube::inline auth {

using base::Result;
using Token = std::optional<base::Secret>;

Credentials Credentials::fixed(base::Secret token) {
  Credentials credentials;
  credentials.fixed_ = std::move(token);
  return credentials;
}

Credentials Credentials::from_file(std::string path, const base::Clock& clock) {
  Credentials credentials;
  credentials.file_.emplace("the API server's token", std::move(path), clock);
  return credentials;
}

Credentials Credentials::from_plugin(net::Loop& loop, ExecSpec spec) {
  Credentials credentials;
  credentials.plugin_ = std::make_shared<ExecPlugin>(loop, std::move(spec));
  return credentials;
}

net::Task<Result<Token>> Credentials::token(base::Instant deadline) {
  if (file_) {
    CO_TRY(base::Secret token, file_->token());
    co_return Token(std::move(token));
  }
  if (plugin_) {
    CO_TRY(const auto credential, co_await plugin_->credential(deadline));
    co_return credential->token;
  }
  co_return fixed_;
}

void Credentials::refused() {
  if (file_) file_->refused();
  if (plugin_) plugin_->refused();
}

}  // namespace kube::inline auth
