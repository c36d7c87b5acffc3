// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <functional>
#include <string>
#include <string_view>

namespace slurmop::api {

// A value in a resource and its path with indices: "spec.users[2].name".
using FieldVisitor = std::function<void(const std::string& place, const json::Value& value)>;

// Calls the visitor with every value at a path of the schema ("spec.users[].name"), in the order of
// the document. A part of the path that is absent, null or of another type has no values.
void visit_field(const json::Value& object, std::string_view path, const FieldVisitor& visit);

}  // namespace slurmop::api
