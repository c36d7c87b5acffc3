// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/identity.h"

namespace bridge::admission {

using base::Error;
using base::Kind;
using base::Result;

Result<std::string> user_of(const kube::SelfSubjectReview& review) {
  const std::string& name = review.status.userInfo.username;
  if (name.empty())
    return Error(Kind::protocol, "a SelfSubjectReview without status.userInfo.username");
  return name;
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
