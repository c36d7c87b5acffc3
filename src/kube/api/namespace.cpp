// SPDX-License-Identifier: Apache-2.0
#include "kube/api/namespace.h"

#include "kube/api/describe.h"

namespace kube::inline api {

BOOST_DESCRIBE_STRUCT(Namespace, (), (metadata))

template <>
base::Result<Namespace> decode_object<Namespace>(const json::Node& node) {
  return json::decode<Namespace>(node);
}

}  // namespace kube::inline api
