// SPDX-License-Identifier: Apache-2.0
#pragma once

// Only for the .cpp of a kind: decoding of operator/api/values.h.
#include "json/decode.h"
#include "operator/api/values.h"

#include <charconv>

namespace slurmop::api {

inline json::MaybeMismatch decode_json(const json::Node& node, IntOrPercent& out) {
  constexpr std::string_view kWanted = "a number or a percentage such as 20%";
  if (const auto number = node.as_int()) {
    out = {.amount = *number};
    return std::nullopt;
  }
  const auto text = node.as_string();
  if (!text || !text->ends_with('%')) return json::mismatch(node, kWanted);
  const char* const end = text->data() + text->size() - 1;
  out = {.percent = true};
  const auto [last, error] = std::from_chars(text->data(), end, out.amount);
  if (error != std::errc{} || last != end) return json::mismatch(node, kWanted);
  return std::nullopt;
}

inline json::MaybeMismatch decode_json(const json::Node& node, NamedObject& out) {
  json::Value whole = node.to_value();
  json::Object* const object = whole.as_object();
  if (object == nullptr) return json::mismatch(node, "an object");
  if (const auto name = node.find("name")) {
    if (auto wrong = json::decode_into(*name, out.name)) return wrong;
  }
  object->erase("name");
  out.content = std::move(whole);
  return std::nullopt;
}

}  // namespace slurmop::api
