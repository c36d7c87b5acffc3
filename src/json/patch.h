// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/pointer.h"
#include "json/value.h"

#include <string>
#include <utility>

namespace json {

// Applies RFC 7386: members of the patch replace those of the document, or remove them if null;
// objects are merged, everything else (including arrays) is replaced.
void apply_merge_patch(Value& document, const Value& patch);

// Result of `test` on a path that does not exist: RFC 6902 fails the patch, Kubernetes treats the
// value as null.
enum class Absent { fails, is_null };

// Applies RFC 6902. Takes the document by value and returns it patched, so that a patch that fails
// half way changes nothing.
//
// Errors      conflict   a `test` found another value
//             not_found  the path of an operation does not exist
//             invalid    not a JSON patch
base::Result<Value> json_patched(Value document, const Value& patch, Absent absent = Absent::fails);

// Builds a JSON patch, operation by operation; paths are written by pointer_text.
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
