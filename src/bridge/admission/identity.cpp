// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/identity.h"

#include "json/node.h"

namespace bridge::admission {

using base::Error;
using base::Kind;
using base::Result;

json::Object self_review() {
  return {{"apiVersion", "authentication.k8s.io/v1"}, {"kind", "SelfSubjectReview"}};
}

Result<std::string> user_in_self_review(std::string_view answer) {
  json::Parser parser;
  TRY(const json::Node root, parser.parse(answer));
  const auto status = root.find("status");
  const auto user = status ? status->find("userInfo") : std::nullopt;
  const auto name = user ? user->find("username") : std::nullopt;
  const std::string_view text = name ? name->as_string().value_or("") : "";
  if (text.empty())
    return Error(Kind::protocol, "a SelfSubjectReview without status.userInfo.username");
  return std::string(text);
}

namespace {
constexpr std::string_view kAccounts = "system:serviceaccount:";
}  // namespace

std::string namespace_of_account(std::string_view user) {
  if (!user.starts_with(kAccounts)) return {};
  const std::string_view rest = user.substr(kAccounts.size());
  return std::string(rest.substr(0, rest.find(':')));
}

Users users_beside(const std::string& own, const std::string& scheduler_name) {
  constexpr std::string_view kRole = "-admission";
  Users users{own};
  const bool is_role = own.starts_with(kAccounts) && own.ends_with(kRole);
  if (!is_role) return users;
  const std::string prefix = own.substr(0, own.size() - kRole.size());
  const std::string ns = own.substr(0, own.rfind(':') + 1);
  users.insert({prefix, prefix + "-scheduler", prefix + "-controllers", ns + scheduler_name});
  return users;
}

}  // namespace bridge::admission
