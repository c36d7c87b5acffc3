// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/ids.h"

#include <map>
#include <string>
#include <vector>

namespace bridge::state {

// Which pods name which volume claims, so that who has one is not looked for among all pods.
class ClaimUsers {
 public:
  struct User {
    kube::ObjectKey pod;
    kube::Uid uid;
  };

  void add(const User& user, const std::vector<std::string>& claims);
  void remove(const User& user, const std::vector<std::string>& claims);

  using Users = std::map<kube::Uid, kube::ObjectKey>;
  const Users& of(const kube::ObjectKey& claim) const;

 private:
  std::map<kube::ObjectKey, Users> users_;
};

}  // namespace bridge::state
