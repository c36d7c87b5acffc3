// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/pointer.h"
#include "json/value.h"

#include <string>
#include <utility>

namespace json {

// RFC 7386: members of the patch replace or, where they are null, remove the document's; objects
// are merged, everything else (arrays too) is replaced.
void apply_merge_patch(Value& document, const Value& patch);

// What `test` makes of a place that is not there: RFC 6902 fails the patch, Kubernetes takes it for
// null.
enum class Absent { fails, is_null };

// RFC 6902. Takes the document by value and gives it back patched: a patch that fails half way
// changes nothing.
//
// Errors      conflict   a `test` found something else
//             not_found  an operation's place is not there
//             invalid    this is no JSON patch
base::Result<Value> json_patched(Value document, const Value& patch, Absent absent = Absent::fails);

// Builds a JSON patch, operation by operation; places are written by pointer_text.
class JsonPatch {
 public:
  JsonPatch& test(std::string place, Value value);
  JsonPatch& add(std::string place, Value value);
  JsonPatch& replace(std::string place, Value value);
  JsonPatch& remove(std::string place);

  const Array& operations() const& { return operations_; }
  Array operations() && { return std::move(operations_); }

 private:
  Array operations_;
};

}  // namespace json
