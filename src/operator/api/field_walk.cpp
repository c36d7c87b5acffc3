// SPDX-License-Identifier: Apache-2.0
#include "operator/api/field_walk.h"

#include <fmt/format.h>

#include <algorithm>

namespace slurmop::api {

namespace {

void visit_rest(const json::Value& value,
                std::string_view rest,
                const std::string& place,
                const FieldVisitor& visit) {
  if (value.is_null()) return;
  if (rest.empty()) return visit(place, value);
  if (rest.starts_with("[]")) {
    const json::Array* const items = value.as_array();
    if (items == nullptr) return;
    for (std::size_t i = 0; i < items->size(); ++i) {
      visit_rest((*items)[i], rest.substr(2), fmt::format("{}[{}]", place, i), visit);
    }
    return;
  }
  if (rest.starts_with('.')) rest.remove_prefix(1);
  const auto end = std::min(rest.find_first_of(".["), rest.size());
  const std::string_view name = rest.substr(0, end);
  const json::Value* const member = value.find(name);
  if (member == nullptr) return;
  const std::string below = place.empty() ? std::string(name) : fmt::format("{}.{}", place, name);
  visit_rest(*member, rest.substr(end), below, visit);
}

}  // namespace

void visit_field(const json::Value& object, std::string_view path, const FieldVisitor& visit) {
  visit_rest(object, path, "", visit);
}

}  // namespace slurmop::api
