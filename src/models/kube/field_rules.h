// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "models/kube/fields.h"

// What structured-merge-diff does in the real server. Pure.
namespace models::kube {

// The fields that an applied configuration speaks of.
FieldSet fields_of(const json::Value& object);

// How an object differs from what it was.
struct FieldChanges {
  FieldSet added;
  FieldSet modified;
  FieldSet removed;
};
FieldChanges compare_fields(const json::Value& before, const json::Value& after);

// The live object with what is applied to it: maps and keyed lists are merged, the rest is
// replaced.
json::Value merge_applied(const json::Value& live, const json::Value& applied);

// Removes what a manager applied before (`last`) and that nobody wants any longer: `wanted` are the
// fields of all managers, of this one the newly applied.
void prune_applied(json::Value& object, const FieldSet& last, const FieldSet& wanted);

}  // namespace models::kube
