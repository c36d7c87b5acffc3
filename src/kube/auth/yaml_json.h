// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/value.h"

#include <yaml-cpp/yaml.h>

#include <string>

namespace kube::inline auth {

// Converts YAML to JSON. Plain integers, true, false and null keep their type; everything else, and
// everything quoted, is a string. Below 32 levels the value is null, which stops the expansion of
// an alias to its own parent.
json::Value json_of(const YAML::Node& node);

// Parses one document. Kind::invalid if the text is not YAML or has more than one document.
base::Result<json::Value> parse_yaml(const std::string& text);

}  // namespace kube::inline auth
