// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/account_files.h"

#include "base/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace slurmop::parts {
namespace {

using Keys = std::vector<std::string>;

bool is_user_name(std::string_view name) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789_-";
  return !name.empty() && name.find_first_not_of(kAllowed) == std::string_view::npos;
}

bool is_one_line(std::string_view key) {
  return std::ranges::none_of(key, [](unsigned char c) { return c < ' ' || c == 0x7F; });
}

// The resource is validated before; these files must not depend on that.
base::Result<void> check_name(const settle::User& user) {
  if (is_user_name(user.name)) return {};
  return base::Error(
      base::Kind::invalid,
      fmt::format("spec.users: {} is not a user name; use lower-case letters, digits, "
                  "'_' and '-'",
                  base::quoted(user.name)));
}

base::Result<std::string> lines(std::string_view field, const Keys& keys) {
  std::string all;
  for (const std::string& key : keys) {
    if (!is_one_line(key)) {
      return base::Error(
          base::Kind::invalid,
          fmt::format(
              "{}: {} is more than one line; write one key per entry", field, base::quoted(key)));
    }
    all += key + "\n";
  }
  return all;
}

Keys joined(Keys keys, const Keys& more) {
  for (const std::string& key : more) {
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  }
  return keys;
}

}  // namespace

base::Result<FilesByName> account_files(const settle::Cluster& cluster) {
  std::string passwd;
  std::string group;
  for (const settle::User& user : cluster.users) {
    TRY_VOID(check_name(user));
    passwd += fmt::format("{0}:*:{1}:{1}:{0}:/home/{0}:/bin/bash\n", user.name, user.uid);
    group += fmt::format("{0}:*:{1}:\n", user.name, user.uid);
  }
  return FilesByName{
      {"passwd", passwd}, {"group", group}, {"uids", settle::write_uids(cluster.uids)}};
}

base::Result<FilesByName> ssh_key_files(const settle::Cluster& cluster) {
  const Keys& root_keys = cluster.spec().slurmNodes.login.sshRootPublicKeys;
  FilesByName files;
  if (!root_keys.empty()) {
    TRY(files["root"], lines("spec.slurmNodes.login.sshRootPublicKeys", root_keys));
  }
  for (const settle::User& user : cluster.users) {
    TRY_VOID(check_name(user));
    const bool is_administrator = user.name == "soperator";
    const Keys keys = is_administrator ? joined(user.public_keys, root_keys) : user.public_keys;
    if (keys.empty()) continue;
    TRY(files[user.name], lines("spec.users", keys));
  }
  return files;
}

}  // namespace slurmop::parts
