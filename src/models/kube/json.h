// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <initializer_list>
#include <string>
#include <string_view>

// Access to Kubernetes objects that have no C++ type here.
namespace models::kube {

using Way = std::initializer_list<std::string_view>;

// nullptr if a member of the path does not exist.
const json::Value* at(const json::Value& value, Way way);
json::Value* at(json::Value& value, Way way);

// "" if the value is not a string.
std::string_view text_at(const json::Value& value, Way way);

// The object with that name inside an object; created if it is missing or not an object.
json::Object& object_in(json::Object& object, std::string_view key);

// Elements of an array, members of an object; none if the path does not lead to one.
const json::Array& array_at(const json::Value& value, Way way);
const json::Object& object_at(const json::Value& value, Way way);

inline bool is_empty(const json::Value& value) {
  if (const auto* text = value.as_string()) return text->empty();
  if (const auto* array = value.as_array()) return array->empty();
  if (const auto* object = value.as_object()) return object->empty();
  return value.is_null();
}

}  // namespace models::kube
