// SPDX-License-Identifier: Apache-2.0
#include "operator/settle/users.h"

#include "base/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace slurmop::settle {
namespace {

constexpr std::uint32_t kLeastUid = 1000;
// Accounts of the images: slurm, slurmrest, munge, mysql, sshd and room for more.
constexpr std::uint32_t kFirstSystemUid = 64030;
constexpr std::uint32_t kLastSystemUid = 64039;

bool is_system(std::uint32_t uid) {
  const bool image = uid >= kFirstSystemUid && uid <= kLastSystemUid;
  const bool nobody = uid == 65534 || uid == 65535;
  return uid < kLeastUid || image || nobody;
}

// A field has one error: validation may have reported it already.
void add_error(api::Findings& findings, std::string field, std::string message) {
  const bool reported = std::ranges::any_of(
      findings.errors, [&](const api::FieldError& error) { return error.field == field; });
  if (!reported) findings.errors.push_back({std::move(field), std::move(message)});
}

std::optional<std::uint32_t> uid_of(const api::LoginUser& user) {
  if (!user.uid || !std::in_range<std::uint32_t>(*user.uid)) return std::nullopt;
  return static_cast<std::uint32_t>(*user.uid);
}

std::vector<std::string> own_keys(const api::SlurmClusterSpec& spec) {
  std::vector<std::string> keys;
  const auto add = [&keys](const std::vector<std::string>& more) {
    for (const std::string& key : more) {
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    }
  };
  for (const api::LoginUser& user : spec.users) {
    if (user.name == kOwnUser) add(user.sshPublicKeys);
  }
  add(spec.slurmNodes.login.sshRootPublicKeys);
  return keys;
}

// The uids of one pass over the users.
class Assignment {
 public:
  Assignment(const api::SlurmClusterSpec& spec,
             const std::map<std::string, std::uint32_t>& recorded,
             api::Findings& findings)
      : findings_(findings) {
    out_.uids = recorded;
    record(std::string(kOwnUser), kOwnUid);
    for (const auto& [name, uid] : out_.uids) taken_.insert(uid);
    for (const api::LoginUser& user : spec.users) {
      if (const auto uid = uid_of(user)) taken_.insert(*uid);
    }
    add({.name = std::string(kOwnUser), .uid = kOwnUid, .public_keys = own_keys(spec)}, "");
  }

  void take(const api::LoginUser& user, const std::string& field) {
    const std::optional<std::uint32_t> wanted = uid_of(user);
    if (user.name == kOwnUser) {
      if (wanted.value_or(kOwnUid) == kOwnUid) return;
      add_error(
          findings_, field, fmt::format("{} has the uid {}; remove the field", kOwnUser, kOwnUid));
      return;
    }
    const std::uint32_t uid = wanted ? *wanted : recorded_or_new(user.name);
    if (is_system(uid)) {
      add_error(findings_,
                field,
                fmt::format("{} is reserved for system accounts; choose a uid from {} on, outside "
                            "of {}-{} and not 65534 or 65535",
                            uid,
                            kLeastUid,
                            kFirstSystemUid,
                            kLastSystemUid));
    }
    add({.name = user.name, .uid = uid, .public_keys = user.sshPublicKeys}, field);
    record(user.name, uid);
  }

  Accounts finish() && {
    std::ranges::sort(out_.users, {}, &User::uid);
    return std::move(out_);
  }

 private:
  std::uint32_t recorded_or_new(const std::string& name) {
    if (const auto known = out_.uids.find(name); known != out_.uids.end()) return known->second;
    while (taken_.contains(next_) || is_system(next_)) ++next_;
    taken_.insert(next_);
    return next_;
  }

  void add(User user, const std::string& field) {
    const auto [first, is_new] = names_.emplace(user.uid, user.name);
    if (!is_new) {
      add_error(findings_,
                field,
                fmt::format("{} is also the uid of {}; choose another one",
                            user.uid,
                            base::quoted(first->second)));
    }
    out_.users.push_back(std::move(user));
  }

  // Files may still belong to the uid that the user had before.
  void record(const std::string& name, std::uint32_t uid) {
    const auto [known, is_new] = out_.uids.emplace(name, uid);
    if (is_new || known->second == uid) return;
    out_.uids.emplace(fmt::format("{}.{}", name, known->second), known->second);
    out_.uids[name] = uid;
  }

  api::Findings& findings_;
  Accounts out_;
  std::set<std::uint32_t> taken_;               // also by users of the past
  std::map<std::uint32_t, std::string> names_;  // of the users of the spec
  std::uint32_t next_ = kFirstUid;
};

}  // namespace

Accounts accounts_of(const api::SlurmClusterSpec& spec,
                     const std::map<std::string, std::uint32_t>& recorded,
                     api::Findings& findings) {
  Assignment assignment(spec, recorded, findings);
  for (std::size_t i = 0; i < spec.users.size(); ++i) {
    assignment.take(spec.users[i], fmt::format("spec.users[{}].uid", i));
  }
  return std::move(assignment).finish();
}

}  // namespace slurmop::settle
