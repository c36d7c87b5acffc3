// SPDX-License-Identifier: Apache-2.0
#include "models/kube/json.h"

#include <utility>

namespace models::kube {

const json::Value* at(const json::Value& value, Way way) {
  const json::Value* here = &value;
  for (const std::string_view key : way) {
    here = here->find(key);
    if (here == nullptr) return nullptr;
  }
  return here;
}

json::Value* at(json::Value& value, Way way) {
  return const_cast<json::Value*>(at(std::as_const(value), way));
}

std::string_view text_at(const json::Value& value, Way way) {
  const json::Value* there = at(value, way);
  const std::string* text = there == nullptr ? nullptr : there->as_string();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

json::Object& object_in(json::Object& object, std::string_view key) {
  json::Value* there = object.find(key);
  if (there == nullptr || there->as_object() == nullptr) {
    object.set(key, json::Object{});
    there = object.find(key);
  }
  return *there->as_object();
}

const json::Array& array_at(const json::Value& value, Way way) {
  static const json::Array kNone;
  const json::Value* there = at(value, way);
  return there == nullptr || there->as_array() == nullptr ? kNone : *there->as_array();
}

const json::Object& object_at(const json::Value& value, Way way) {
  static const json::Object kNone;
  const json::Value* there = at(value, way);
  return there == nullptr || there->as_object() == nullptr ? kNone : *there->as_object();
}

}  // namespace models::kube
