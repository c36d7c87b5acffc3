// SPDX-License-Identifier: Apache-2.0
#include "operator/secrets/random.h"

#include "operator/secrets/wiped_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <sys/random.h>

namespace slurmop::secrets {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using base::Secret;

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
// The largest multiple of the number of letters that a byte can reach. Bytes from it on are
// discarded: with them the first letters would be more likely than the others.
constexpr unsigned kUsable = 256 / kLetters.size() * kLetters.size();

Result<void> check_size(std::size_t count) {
  if (count >= 1 && count <= kMostBytes) return {};
  return Error(Kind::invalid,
               fmt::format("a secret has 1 to {} bytes; {} were requested", kMostBytes, count));
}

}  // namespace

Result<void> fill_from_system(std::span<char> into) {
  while (!into.empty()) {
    const ssize_t got = ::getrandom(into.data(), into.size(), 0);
    if (got > 0) {
      into = into.subspan(static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      return Error(Kind::internal,
                   fmt::format("the system has no random bytes: {}", std::strerror(errno)));
    }
  }
  return {};
}

Result<Secret> random_bytes(std::size_t count, const FillRandom& fill) {
  TRY_VOID(check_size(count));
  WipedBytes bytes(count);
  TRY_VOID(fill(bytes));
  return Secret({bytes.data(), bytes.size()});
}

Result<Secret> random_password(std::size_t length, const FillRandom& fill) {
  TRY_VOID(check_size(length));
  WipedBytes password;
  password.reserve(length);
  WipedBytes random(64);
  while (password.size() < length) {
    TRY_VOID(fill(random));
    for (const char c : random) {
      const auto number = static_cast<unsigned char>(c);
      if (number < kUsable && password.size() < length) {
        password.push_back(kLetters[number % kLetters.size()]);
      }
    }
  }
  return Secret({password.data(), password.size()});
}

}  // namespace slurmop::secrets
