// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/value.h"

#include <yaml-cpp/yaml.h>

#include <string>

namespace kube::inline auth {

// YAML as the JSON that it stands for. Whole numbers, true, false and null are what they look like
// unless they are quoted; everything else is text. Deeper than 32 levels it is null, which ends
// what an alias to its own parent would unfold into.
json::Value json_of(const YAML::Node& node);

// One document. Kind::invalid if the text is no YAML, or more than one.
base::Result<json::Value> parse_yaml(const std::string& text);

}  // namespace kube::inline auth
