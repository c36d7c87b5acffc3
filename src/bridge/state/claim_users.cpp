// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/claim_users.h"

namespace bridge::state {

void ClaimUsers::add(const User& user, const std::vector<std::string>& claims) {
  for (const std::string& claim : claims) users_[{user.pod.ns, claim}][user.uid] = user.pod;
}

void ClaimUsers::remove(const User& user, const std::vector<std::string>& claims) {
  for (const std::string& claim : claims) {
    const auto place = users_.find({user.pod.ns, claim});
    if (place == users_.end()) continue;
    place->second.erase(user.uid);
    if (place->second.empty()) users_.erase(place);
  }
}

const ClaimUsers::Users& ClaimUsers::of(const kube::ObjectKey& claim) const {
  static const Users nobody;
  const auto place = users_.find(claim);
  return place == users_.end() ? nobody : place->second;
}

}  // namespace bridge::state
