// SPDX-License-Identifier: Apache-2.0
#include "slurm/token.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <sys/stat.h>

namespace slurm {
namespace {

using base::Error;
using base::Kind;
using base::Result;

constexpr std::size_t kMostBytes = 64 * 1024;

Result<std::string> read_file(const std::string& path) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return Error(Kind::unauthorized,
                 "cannot read the Slurm token file " + path + ": " + std::strerror(errno));
  }
  std::string text(kMostBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kMostBytes) {
    return Error(Kind::unauthorized, "the Slurm token file " + path + " is no token: too large");
  }
  return text;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

}  // namespace

base::Secret token_in(std::string& text) {
  constexpr std::string_view kName = "SLURM_JWT=";
  std::string_view found = trimmed(text);
  if (found.starts_with(kName)) found = trimmed(found.substr(kName.size()));
  base::Secret token(found);
  base::wipe(text);
  text.clear();
  return token;
}

TokenSource TokenSource::fixed(base::Secret token) {
  TokenSource source;
  source.token_ = std::move(token);
  return source;
}

TokenSource TokenSource::from_file(std::string path, const base::Clock& clock) {
  TokenSource source;
  source.path_ = std::move(path);
  source.clock_ = &clock;
  return source;
}

std::optional<TokenSource::Version> TokenSource::version(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return Version{
      info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec, info.st_size, info.st_ino};
}

Result<void> TokenSource::look() {
  // The version is taken first: a file that is replaced in between is read again next time.
  const std::optional<Version> now = version(path_);
  if (now && now == held_) return {};
  TRY(std::string text, read_file(path_));
  base::Secret found = token_in(text);
  if (found.empty()) {
    return Error(Kind::unauthorized, "the Slurm token file " + path_ + " is empty");
  }
  token_ = std::move(found);
  held_ = now;
  return {};
}

Result<base::Secret> TokenSource::token() {
  if (path_.empty()) {
    if (token_.empty()) return Error(Kind::unauthorized, "the Slurm token is empty");
    return token_;
  }
  const base::Instant now = clock_->now();
  if (token_.empty() || looked_at_ == base::Instant::min() || now - looked_at_ >= kLookAgain) {
    looked_at_ = now;
    const Result<void> looked = look();
    if (!looked.ok() && token_.empty()) return looked.error();
  }
  return token_;
}

}  // namespace slurm
