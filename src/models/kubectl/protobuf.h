// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <optional>
#include <string_view>

namespace models::kubectl {

inline constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf";

// `kubectl create namespace` and its like send their object in this form whatever the server says
// it reads. Kind, apiVersion and metadata (name, generateName, namespace, labels, annotations) are
// read; empty for what is no such object. All there is to know about a namespace, but not about
// other kinds.
std::optional<json::Value> read_protobuf(std::string_view body);

}  // namespace models::kubectl
