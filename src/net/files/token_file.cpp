// SPDX-License-Identifier: Apache-2.0
#include "net/files/token_file.h"

#include "net/files/small_file.h"

#include <fmt/format.h>

#include <sys/stat.h>

namespace net::inline files {

using base::Error;
using base::Kind;
using base::Result;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

base::Secret TokenFile::whole_text(std::string& text) {
  base::Secret token(trimmed(text));
  base::wipe(text);
  text.clear();
  return token;
}

TokenFile::TokenFile(std::string what, std::string path, const base::Clock& clock, Extract extract)
    : what_(std::move(what)), path_(std::move(path)), clock_(&clock), extract_(extract) {}

std::optional<TokenFile::Version> TokenFile::version(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return Version{
      info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec, info.st_size, info.st_ino};
}

Result<void> TokenFile::read_if_changed() {
  constexpr std::size_t kMostBytes = 64UL * 1024;
  // The version is read first: a file that is replaced in between is read again next time.
  const std::optional<Version> now = version(path_);
  if (now && now == held_) return {};
  auto text = read_small_file(path_, kMostBytes);
  if (!text.ok()) return Error(Kind::unauthorized, what_ + ": " + text.error().message());
  base::Secret found = extract_(*text);
  if (found.empty())
    return Error(Kind::unauthorized, fmt::format("{}: the file {} is empty", what_, path_));
  token_ = std::move(found);
  held_ = now;
  return {};
}

Result<base::Secret> TokenFile::token() {
  const base::Instant now = clock_->now();
  if (token_.empty() || checked_at_ == base::Instant::min() ||
      now - checked_at_ >= kCheckInterval) {
    checked_at_ = now;
    const Result<void> read = read_if_changed();
    if (!read.ok() && token_.empty()) return read.error();
  }
  return token_;
}

void TokenFile::refused() {
  checked_at_ = base::Instant::min();
  held_.reset();  // the modification time may be equal: file systems count in ticks
}

}  // namespace net::inline files
