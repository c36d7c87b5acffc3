// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/user_folder.h"

#include "base/integer.h"

#include <array>
#include <optional>
#include <pwd.h>
#include <unistd.h>

namespace slurmop::agent {

namespace {

struct Owner {
  ::uid_t user;
  ::gid_t group;
};

// Slurm accepts a name and a number.
std::optional<Owner> owner(const std::string& user) {
  ::passwd entry{};
  ::passwd* found = nullptr;
  std::array<char, 16384> texts{};
  (void)::getpwnam_r(user.c_str(), &entry, texts.data(), texts.size(), &found);
  if (found != nullptr) return Owner{found->pw_uid, found->pw_gid};
  const auto number = base::parse_integer<::uid_t>(user);
  if (!number.ok()) return std::nullopt;
  return Owner{*number, *number};
}

}  // namespace

void give_to_user(const std::string& folder, const std::string& user) {
  if (::geteuid() != 0) return;
  const auto to = owner(user);
  if (to) (void)::chown(folder.c_str(), to->user, to->group);
}

}  // namespace slurmop::agent
