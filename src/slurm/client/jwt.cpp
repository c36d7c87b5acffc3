// SPDX-License-Identifier: Apache-2.0
#include "slurm/client/jwt.h"

#include "base/base64.h"
#include "json/node.h"

#include <limits>

namespace slurm::inline client {
namespace {

using base::Error;
using base::Kind;

Error no_token(std::string_view why) {
  return Error(Kind::unauthorized, "the Slurm token is not a JWT: " + std::string(why));
}

std::optional<base::WallTime> seconds(const json::Node& claims, std::string_view key) {
  constexpr double kMost =
      static_cast<double>(std::numeric_limits<base::WallTime::rep>::max()) / 1e9;
  const auto member = claims.find(key);
  const auto value = member ? member->as_double() : std::nullopt;
  if (!value || *value < 0 || *value >= kMost) return std::nullopt;
  return base::WallTime(std::chrono::seconds(static_cast<std::int64_t>(*value)));
}

}  // namespace

base::Result<TokenClaims> claims(const base::Secret& token) {
  const std::string_view text = token.reveal();
  const std::size_t first = text.find('.');
  const std::size_t second = text.find('.', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) {
    return no_token("it does not have three parts");
  }
  const auto payload =
      base::decode_base64(text.substr(first + 1, second - first - 1), base::Base64::url_unpadded);
  if (!payload.ok()) return no_token("its second part is not base64url");
  json::Parser parser;
  const auto root = parser.parse(*payload);
  if (!root.ok() || root->type() != json::Type::object) {
    return no_token("its second part is not a JSON object");
  }
  TokenClaims found;
  // Slurm reads `sun` first, then `username`.
  for (const std::string_view key : {"sun", "username"}) {
    const auto user = root->find(key);
    if (user && user->as_string()) {
      found.user = std::string(*user->as_string());
      break;
    }
  }
  found.expires = seconds(*root, "exp");
  return found;
}

}  // namespace slurm::inline client
