// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/strong.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <string>

namespace kube::inline api {

using Uid = base::Strong<std::string, struct UidTag>;
using NodeName = base::Strong<std::string, struct NodeNameTag>;

// The key of an object. Cluster-scoped objects have an empty namespace. A later object may have the
// same name: operations that must not affect it also compare the Uid.
struct ObjectKey {
  std::string ns;
  std::string name;

  std::string to_string() const { return ns.empty() ? name : ns + "/" + name; }
  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;
};

}  // namespace kube::inline api
