// SPDX-License-Identifier: Apache-2.0
#include "kube/credentials.h"

#include "kube/file.h"

namespace kube {

Credentials Credentials::fixed(base::Secret token) {
  Credentials credentials;
  credentials.token_ = std::move(token);
  return credentials;
}

Credentials Credentials::from_file(std::string path, const base::Clock& clock) {
  Credentials credentials;
  credentials.path_ = std::move(path);
  credentials.clock_ = &clock;
  return credentials;
}

base::Result<std::optional<base::Secret>> Credentials::token() {
  constexpr auto kReadAgainAfter = std::chrono::seconds(10);
  if (path_.empty()) return token_;
  const base::Instant now = clock_->now();
  if (token_ && now < read_at_ + kReadAgainAfter) return token_;

  TRY(std::string text, read_small_file(path_));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.pop_back();
  if (text.empty())
    return base::Error(base::Kind::unauthorized, "token file " + path_ + " is empty");
  token_ = base::Secret::consume(text);
  read_at_ = now;
  return token_;
}

}  // namespace kube
