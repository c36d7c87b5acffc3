// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/passed_on.h"

#include "base/quantity.h"

#include <algorithm>
#include <utility>

namespace slurmop::objects {
namespace {

json::Value canonical_quantity(const json::Value& amount) {
  if (amount.as_int() != nullptr) {
    return base::Quantity::units(*amount.as_int()).to_string();
  }
  if (amount.as_string() == nullptr) return amount;
  const auto parsed = base::Quantity::parse(*amount.as_string());
  return parsed.ok() ? json::Value(parsed->to_string()) : amount;
}

json::Value canonical_quantities(const json::Value& amounts) {
  if (amounts.as_object() == nullptr) return amounts;
  json::Object all;
  for (const json::Member& member : *amounts.as_object()) {
    if (!member.value.is_null()) all.set(member.key, canonical_quantity(member.value));
  }
  return all;
}

json::Value member_passed_on(const json::Member& member) {
  if (member.key == "requests" || member.key == "limits") return canonical_quantities(member.value);
  if (member.key == "sizeLimit") return canonical_quantity(member.value);
  return passed_on(member.value);
}

}  // namespace

json::Value passed_on(const json::Value& content) {
  if (content.as_array() != nullptr) return passed_on(*content.as_array());
  if (content.as_object() == nullptr) return content;
  json::Object kept;
  for (const json::Member& member : *content.as_object()) {
    if (!member.value.is_null()) kept.set(member.key, member_passed_on(member));
  }
  return kept;
}

json::Array passed_on(const std::vector<json::Value>& contents) {
  json::Array all;
  for (const json::Value& content : contents) all.push_back(passed_on(content));
  return all;
}

json::Array last_of_each(json::Array list, std::string_view key) {
  json::Array kept;
  for (auto element = list.begin(); element != list.end(); ++element) {
    const json::Value* name = element->find(key);
    const bool is_replaced =
        name != nullptr &&
        std::any_of(std::next(element), list.end(), [&](const json::Value& later) {
          const json::Value* other = later.find(key);
          return other != nullptr && *other == *name;
        });
    if (!is_replaced) kept.push_back(*element);
  }
  return kept;
}

}  // namespace slurmop::objects
