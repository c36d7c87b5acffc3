// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <initializer_list>
#include <string>
#include <string_view>

// Looking into Kubernetes objects that have no C++ type here.
namespace models::kube {

using Way = std::initializer_list<std::string_view>;

// nullptr if the way ends early.
const json::Value* at(const json::Value& value, Way way);
json::Value* at(json::Value& value, Way way);

// "" if there is no text.
std::string_view text_at(const json::Value& value, Way way);

// The object of that name inside an object; made if it is missing or something else.
json::Object& object_in(json::Object& object, std::string_view key);

// Elements of an array, members of an object; none if the way ends early or elsewhere.
const json::Array& array_at(const json::Value& value, Way way);
const json::Object& object_at(const json::Value& value, Way way);

inline bool is_empty(const json::Value& value) {
  if (const auto* text = value.as_string()) return text->empty();
  if (const auto* array = value.as_array()) return array->empty();
  if (const auto* object = value.as_object()) return object->empty();
  return value.is_null();
}

}  // namespace models::kube
