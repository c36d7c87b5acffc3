// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/amounts.h"
#include "kube/api/meta.h"

#include <string>
#include <vector>

namespace kube::inline api {

// A pod of another scheduler, reduced to what it occupies on its node: there are many such pods,
// and nothing else of them is needed.
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
  NodeName node;  // empty: not bound yet
  Amounts requests;
  std::vector<std::string> claims;  // the volume claims that it uses, except those created for it
  bool of_daemon_set = false;
  bool ended = false;  // it no longer occupies its node
};

template <>
base::Result<ForeignPod> decode_object<ForeignPod>(const json::Node& node);

}  // namespace kube::inline api
