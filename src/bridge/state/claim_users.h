// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/ids.h"

#include <map>
#include <string>
#include <vector>

namespace bridge::state {

// An index from volume claims to the pods that name them, so that a lookup does not read all pods.
//
// Expects     `claims`: names of claims in the pod's namespace, the same in add() and remove().
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
