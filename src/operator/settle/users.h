// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/settle/cluster.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace slurmop::settle {

// The account that always exists; the keys of spec.slurmNodes.login.sshRootPublicKeys are its own.
inline constexpr std::string_view kOwnUser = "soperator";
inline constexpr std::uint32_t kOwnUid = 1000;
// Users without a uid get one from here upwards.
inline constexpr std::uint32_t kFirstUid = 10000;

struct Accounts {
  std::vector<User> users = {};                    // by uid
  std::map<std::string, std::uint32_t> uids = {};  // recorded ones and those of the users
};

// Decides the uid of each user of the spec.
//
// Guarantees  a uid of the spec is used; otherwise the recorded one; otherwise a new one that no user
//             has or had. A user whose uid is changed in the spec keeps the old one reserved, under
//             "<name>.<uid>". Uids of system accounts, and one uid for two users, are errors.
Accounts accounts_of(const api::SlurmClusterSpec& spec,
                     const std::map<std::string, std::uint32_t>& recorded,
                     api::Findings& findings);

}  // namespace slurmop::settle
