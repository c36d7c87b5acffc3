// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/node.h"
#include "kube/api/dynamic_object.h"

#include <string_view>

// Reading answers of the API server, as far as no type is needed. Pure.
namespace kube::inline client {

// Whether the answer is a Status and no object.
bool is_status(std::string_view body);

// Kind::protocol if this is no list: an answer without items must not be taken for an empty list.
base::Result<void> check_list(const json::Node& page);

// The metadata of an object that does not fit its type; name, namespace and labels at least, where
// they are text.
PartialObject known_of(const json::Node& object);

}  // namespace kube::inline client
