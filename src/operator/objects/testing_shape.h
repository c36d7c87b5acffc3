// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <string>
#include <vector>

namespace slurmop::objects {

// For tests only: texts that must not change the structure of an object.
inline std::vector<std::string> hostile_texts() {
  return {"\"",
          "\\",
          "\\\"",
          "\",\"privileged\":true,\"a\":\"",
          "a\nb: c",
          "a\r\n- b",
          std::string("a\0b", 3),
          "{}",
          "[1]",
          "null",
          "true",
          "$(rm -rf /)",
          "`id`",
          "; id",
          "' \"",
          "{{.Values}}",
          "$(VAR)",
          "%s%n",
          "../../etc/shadow",
          "a:b:0:0",
          "\x1B[31m",
          "\xE2\x80\xA8",
          "\xF0\x9F\x98\x80"};
}

// Whether the values differ only in the content of strings and in keys: every member, element and
// type is the same after both were written and read again.
inline bool same_shape(const json::Value& a, const json::Value& b) {
  if (a.as_string() != nullptr) return b.as_string() != nullptr;
  if (const json::Array* left = a.as_array()) {
    const json::Array* right = b.as_array();
    if (right == nullptr || left->size() != right->size()) return false;
    for (std::size_t i = 0; i < left->size(); ++i) {
      if (!same_shape((*left)[i], (*right)[i])) return false;
    }
    return true;
  }
  if (const json::Object* left = a.as_object()) {
    const json::Object* right = b.as_object();
    if (right == nullptr || left->size() != right->size()) return false;
    for (const json::Member *x = left->begin(), *y = right->begin(); x != left->end(); ++x, ++y) {
      if (!same_shape(x->value, y->value)) return false;
    }
    return true;
  }
  return a == b;
}

inline json::Value reread(const json::Object& object) {
  const auto read = json::parse(json::Value(object).dump());
  return read.ok() ? *read : json::Value();
}

}  // namespace slurmop::objects
