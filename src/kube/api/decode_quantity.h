// SPDX-License-Identifier: Apache-2.0
#pragma once

// Only for the .cpp of a kind: in JSON, quantities are strings or plain integers.
#include "base/quantity.h"
#include "json/decode.h"

#include <string>

namespace base {

inline json::MaybeMismatch decode_json(const json::Node& node, Quantity& out) {
  std::string text;
  if (const auto s = node.as_string()) {
    text.assign(*s);
  } else if (const auto n = node.as_int()) {
    text = std::to_string(*n);
  } else {
    return json::mismatch(node, "a quantity");
  }
  auto parsed = Quantity::parse(text);
  if (!parsed.ok()) return json::Mismatch{"", parsed.error().message()};
  out = *parsed;
  return std::nullopt;
}

}  // namespace base
