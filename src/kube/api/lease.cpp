// SPDX-License-Identifier: Apache-2.0
#include "kube/api/lease.h"

#include "kube/api/describe.h"

namespace kube::inline api {

BOOST_DESCRIBE_STRUCT(
    LeaseSpec, (), (holderIdentity, leaseDurationSeconds, acquireTime, renewTime, leaseTransitions))
BOOST_DESCRIBE_STRUCT(Lease, (), (metadata, spec))

template <>
base::Result<Lease> decode_object<Lease>(const json::Node& node) {
  return json::decode<Lease>(node);
}

}  // namespace kube::inline api
