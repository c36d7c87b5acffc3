// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/value.h"

#include <set>
#include <string>
#include <string_view>

// Who the bridge is to the API server.
namespace bridge::admission {

using Users = std::set<std::string, std::less<>>;

// The body of POST /apis/authentication.k8s.io/v1/selfsubjectreviews, and the name in its answer.
json::Object self_review();
base::Result<std::string> user_in_self_review(std::string_view answer);

// The names under which the bridge's roles speak, if we are `own`. As the reference's chart makes
// them: beside system:serviceaccount:NS:PREFIX-admission stand the accounts PREFIX-scheduler (or
// the scheduler's name), PREFIX-controllers and PREFIX, the one of all roles.
Users users_beside(const std::string& own, const std::string& scheduler_name);

// NS of "system:serviceaccount:NS:NAME"; empty if the user is no service account.
std::string namespace_of_account(std::string_view user);

}  // namespace bridge::admission
