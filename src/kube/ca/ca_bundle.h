// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <optional>
#include <string_view>

namespace kube::inline ca {

// Returns a JSON patch that sets this caBundle in every webhook of a configuration (or in the
// conversion webhook of a CustomResourceDefinition); empty if all have it. It applies only to the
// version that was read.
std::optional<json::Array> ca_bundle_patch(const json::Value& configuration, std::string_view pem);

}  // namespace kube::inline ca
