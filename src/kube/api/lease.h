// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/meta.h"

#include <cstdint>

namespace kube::inline api {

struct LeaseSpec {
  std::string holderIdentity;  // empty: not held, also if absent
  std::int32_t leaseDurationSeconds = 0;
  std::string acquireTime;
  std::string renewTime;
  std::int32_t leaseTransitions = 0;

  friend bool operator==(const LeaseSpec&, const LeaseSpec&) = default;
};

// coordination.k8s.io/v1
struct Lease {
  ObjectMeta metadata;
  LeaseSpec spec;
};

template <>
base::Result<Lease> decode_object<Lease>(const json::Node& node);

template <>
inline const Resource& resource_of<Lease>() {
  return kLeases;
}

}  // namespace kube::inline api
