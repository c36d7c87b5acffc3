// SPDX-License-Identifier: Apache-2.0
#include "slurm/client/token_check.h"

#include "base/rfc3339.h"
#include "slurm/api/error_number.h"

#include <fmt/format.h>

#include <algorithm>

namespace slurm::inline client {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using Verdict = TokenCheck::Verdict;

constexpr int kInvalidPartition = 2000;
constexpr int kNoDefaultPartition = 2001;
constexpr int kAccessDenied = 2002;
constexpr int kInvalidAccount = 2045;
constexpr int kInvalidLicense = 2048;
constexpr auto kCleanUpTime = std::chrono::seconds(10);

std::string owner_text(const std::string& user) {
  return user.empty() ? "an unnamed user" : "user " + user;
}

std::string partition_message(const TokenUse& use) {
  if (use.partition.empty()) {
    return "Slurm has no default partition and the configuration has none: set partition";
  }
  return fmt::format(
      "Slurm has no partition {}: correct partition in the configuration, or create it in "
      "slurm.conf",
      use.partition);
}

std::string refused_message(const TokenClaims& claims, const Error& refusal) {
  std::string text =
      fmt::format("Slurm does not accept the token (of {})", owner_text(claims.user));
  if (claims.expires) text += ", valid until " + base::format_rfc3339(*claims.expires);
  return fmt::format(
      "{}: {}. Create one with: scontrol token username=slurm", text, refusal.message());
}

// An unavailable server must not lead to the message that the token is wrong.
bool is_about_the_token(const Error& error) {
  return error.is(Kind::unauthorized) && error.code() != 0;
}

}  // namespace

JobRequest token_check_request(const TokenUse& use) {
  JobRequest request;
  request.name = "slurm-bridge-token-check";
  request.admin_comment = "{}";
  request.licenses = "slurm-bridge-token-check:1";
  request.partition = use.partition;
  request.account = use.account;
  request.priority = 0;  // held
  return request;
}

TokenCheck judge_refusal(const Error& refusal, const std::string& user, const TokenUse& use) {
  switch (refusal.code()) {
    case kInvalidLicense: return {Verdict::fine, ""};
    case kAccessDenied:
      return {
          Verdict::wrong,
          fmt::format("the Slurm token belongs to {}, not to SlurmUser: jobs cannot carry their "
                      "identity. Create one with: scontrol token username=slurm",
                      owner_text(user))};
    case kInvalidPartition:
    case kNoDefaultPartition: return {Verdict::wrong, partition_message(use)};
    case kInvalidAccount: return {Verdict::wrong, account_remedy(user, use, {})};
    default: return {Verdict::unknown, refusal.message()};
  }
}

std::string account_remedy(const std::string& token_user,
                           const TokenUse& use,
                           const std::vector<Association>& known) {
  const std::string user = token_user.empty() ? "NAME-OF-THE-TOKEN" : token_user;
  const std::string wanted = use.account.empty() ? "any account" : "account " + use.account;
  const bool has_it = std::ranges::any_of(
      known, [&](const Association& one) { return one.account == use.account; });
  if (has_it) {
    return fmt::format("Slurm refuses jobs of user {} under account {} in partition {}",
                       user,
                       use.account,
                       use.partition.empty() ? "(default)" : use.partition);
  }
  std::string has;
  for (const Association& one : known) has += (has.empty() ? " (it has: " : ", ") + one.account;
  if (!has.empty()) has += ")";
  return fmt::format(
      "user {} has no association with {}{}: Slurm refuses its jobs. Give it one with: sacctmgr "
      "add user {} account={}",
      user,
      wanted,
      has,
      user,
      use.account.empty() ? "NAME" : use.account);
}

net::Task<Result<TokenCheck>> check_token(Client& client, TokenUse use, base::Instant deadline) {
  const Result<TokenClaims> claimed = client.token_claims();
  // Without claims the token may still be valid: a site may use another type of token.
  const TokenClaims claims = claimed.ok() ? *claimed : TokenClaims();

  const Result<JobId> made = co_await client.submit(token_check_request(use), deadline);
  if (made.ok()) {
    const auto undone = co_await client.cancel(*made, deadline + kCleanUpTime);
    if (undone.ok() || undone.error().is(Kind::not_found)) co_return TokenCheck{Verdict::fine, ""};
    co_return TokenCheck{Verdict::fine,
                         fmt::format("job {} of the token check could not be cancelled: {}",
                                     *made,
                                     undone.error().message())};
  }
  if (made.error().is(Kind::cancelled)) co_return made.error();
  if (is_about_the_token(made.error())) {
    co_return TokenCheck{Verdict::wrong, refused_message(claims, made.error())};
  }
  TokenCheck check = judge_refusal(made.error(), claims.user, use);
  if (made.error().code() == kInvalidAccount) {
    const auto known = co_await client.associations(claims.user, deadline);
    if (known.ok()) check.message = account_remedy(claims.user, use, *known);
  }
  co_return check;
}

}  // namespace slurm::inline client
