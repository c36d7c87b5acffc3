// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "models/kube/fields.h"

// The rules of structured-merge-diff, as in the real server. Pure.
namespace models::kube {

// The fields that an applied configuration contains.
FieldSet fields_of(const json::Value& object);

// The difference between an object and its former version.
struct FieldChanges {
  FieldSet added;
  FieldSet modified;
  FieldSet removed;
};
FieldChanges compare_fields(const json::Value& before, const json::Value& after);

// The live object with the applied configuration: maps and keyed lists are merged, everything else
// is replaced.
json::Value merge_applied(const json::Value& live, const json::Value& applied);

// Removes the fields that a manager applied before (`last`) and that no manager wants any longer:
// `wanted` are the fields of all managers, for this one the newly applied fields.
void prune_applied(json::Value& object, const FieldSet& last, const FieldSet& wanted);

}  // namespace models::kube
