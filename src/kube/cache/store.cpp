// SPDX-License-Identifier: Apache-2.0
#include "kube/cache/store.h"

#include <algorithm>

namespace kube::inline cache {

ObjectKey key_of(const json::Node& object) {
  const auto text = [&](std::string_view field) {
    const auto metadata = object.find("metadata");
    const auto value = metadata ? metadata->find(field) : std::nullopt;
    return std::string(value ? value->as_string().value_or("") : "");
  };
  return {text("namespace"), text("name")};
}

bool is_older(const std::string& a, const std::string& b) {
  const auto is_number = [](const std::string& text) {
    return !text.empty() && text.front() != '0' &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  };
  if (!is_number(a) || !is_number(b)) return false;
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace kube::inline cache
