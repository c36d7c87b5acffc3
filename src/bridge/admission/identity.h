// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/api/self_subject_review.h"

#include <set>
#include <string>
#include <string_view>

// The users of the bridge at the API server.
namespace bridge::admission {

using Users = std::set<std::string, std::less<>>;

// The user name that the API server assigns to us. Kind::protocol if the answer names no user.
base::Result<std::string> user_of(const kube::SelfSubjectReview& review);

// The user names of the bridge's roles, given our `own` name. As in the reference's chart: besides
// system:serviceaccount:NS:PREFIX-admission there are the accounts PREFIX-scheduler (or the
// scheduler's name), PREFIX-controllers and PREFIX, which runs all roles.
Users users_beside(const std::string& own, const std::string& scheduler_name);

// NS of "system:serviceaccount:NS:NAME"; empty if the user is not a service account.
std::string namespace_of_account(std::string_view user);

}  // namespace bridge::admission
