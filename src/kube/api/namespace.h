// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/meta.h"

namespace kube::inline api {

struct Namespace {
  ObjectMeta metadata;
};

template <>
base::Result<Namespace> decode_object<Namespace>(const json::Node& node);

template <>
inline const Resource& resource_of<Namespace>() {
  return kNamespaces;
}

}  // namespace kube::inline api
