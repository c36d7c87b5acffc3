// SPDX-License-Identifier: Apache-2.0
#pragma once

// Small builders for the tests of this folder.
#include "base/quantity.h"
#include "json/node.h"
#include "kube/api/meta.h"

#include <string>
#include <string_view>
#include <utility>

namespace workload::testing {

inline base::Quantity q(std::string_view text) {
  return base::Quantity::parse(text).value();
}

// An object as the API server would send it.
template <class T>
T decoded(std::string_view text) {
  json::Parser parser;
  return kube::decode_object<T>(parser.parse(text).value()).value();
}

}  // namespace workload::testing
