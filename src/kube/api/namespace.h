// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/meta.h"

namespace kube {

struct Namespace {
  ObjectMeta metadata;
};

template <>
base::Result<Namespace> decode_object<Namespace>(const json::Node& node);

}  // namespace kube
