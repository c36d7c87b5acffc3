// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <optional>
#include <string_view>

namespace models::kubectl {

inline constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf";

// `kubectl create namespace` and similar commands send protobuf whatever formats the server
// announces. Reads kind, apiVersion and metadata (name, generateName, namespace, labels,
// annotations); empty for another message. This is complete for a namespace, but not for other
// kinds.
std::optional<json::Value> read_protobuf(std::string_view body);

}  // namespace models::kubectl
