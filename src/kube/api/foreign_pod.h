// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/amounts.h"
#include "kube/api/meta.h"

#include <string>
#include <vector>

namespace kube::inline api {

// As much of somebody else's pod as says what it occupies on its node: there are many of them, and
// nothing else about them is our business.
struct ForeignPod {
  struct Metadata {
    std::string name;
    std::string namespace_;
    Uid uid;
    std::string resourceVersion;
    bool deleting = false;

    ObjectKey key() const { return {namespace_, name}; }
  };

  Metadata metadata;
  NodeName node;  // empty: on none yet
  Amounts requests;
  std::vector<std::string> claims;  // the volume claims that it uses, but for those made for it
  bool of_daemon_set = false;
  bool ended = false;  // it holds nothing on its node any more
};

template <>
base::Result<ForeignPod> decode_object<ForeignPod>(const json::Node& node);

}  // namespace kube::inline api
