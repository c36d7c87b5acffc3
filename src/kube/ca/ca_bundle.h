// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <optional>
#include <string_view>

namespace kube::inline ca {

// A JSON patch that gives every webhook of a configuration (or the conversion webhook of a
// CustomResourceDefinition) this caBundle; empty if all have it. It applies to the very version
// that was read.
std::optional<json::Array> ca_bundle_patch(const json::Value& configuration, std::string_view pem);

}  // namespace kube::inline ca
