// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/node.h"
#include "kube/api/meta.h"
#include "operator/api/generated/field_table.h"
#include "operator/api/validate.h"

#include <span>

namespace slurmop::api {

// The checks that the schema defines field by field: refused and accepted fields, limits, and
// values of configuration files.
void check_fields(const json::Value& object, std::span<const FieldRow> rows, Findings& findings);

// Whether the name may be that of a cluster or NodeSet; the error names metadata.name.
void check_name(std::string_view name, Findings& findings);

// Adds the error of a failed decode: "$.spec.users[0].uid: expected ..." names the field.
void add_decode_error(const base::Error& error, Findings& findings);

// Returns the typed object; adds an error if a field has another type than the schema.
template <class T>
std::optional<T> decoded(const json::Value& object, Findings& findings) {
  json::Parser parser;
  auto node = parser.parse(object.dump());
  if (!node.ok()) {
    add_decode_error(node.error(), findings);
    return std::nullopt;
  }
  auto found = kube::decode_object<T>(*node);
  if (!found.ok()) {
    add_decode_error(found.error(), findings);
    return std::nullopt;
  }
  return std::move(found).value();
}

}  // namespace slurmop::api
