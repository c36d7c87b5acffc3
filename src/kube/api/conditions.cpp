// SPDX-License-Identifier: Apache-2.0
#include "kube/api/conditions.h"

#include "base/rfc3339.h"
#include "json/pointer.h"

#include <algorithm>

namespace kube::inline api {
namespace {

std::string text(const json::Value& object, std::string_view key) {
  const json::Value* value = object.find(key);
  return value != nullptr && value->as_string() != nullptr ? *value->as_string() : std::string();
}

}  // namespace

bool set_condition(Conditions& conditions, Condition wanted, base::WallTime now) {
  const auto found = std::ranges::find(conditions, wanted.type, &Condition::type);
  if (found == conditions.end()) {
    wanted.lastTransitionTime = base::format_rfc3339(now);
    conditions.push_back(std::move(wanted));
    return true;
  }
  wanted.lastTransitionTime = found->status == wanted.status && !found->lastTransitionTime.empty()
                                  ? found->lastTransitionTime
                                  : base::format_rfc3339(now);
  if (*found == wanted) return false;
  *found = std::move(wanted);
  return true;
}

bool remove_condition(Conditions& conditions, std::string_view type) {
  return std::erase_if(conditions, [&](const Condition& one) { return one.type == type; }) > 0;
}

const Condition* find_condition(const Conditions& conditions, std::string_view type) {
  const auto found = std::ranges::find(conditions, type, &Condition::type);
  return found == conditions.end() ? nullptr : &*found;
}

bool is_true(const Conditions& conditions, std::string_view type) {
  const Condition* found = find_condition(conditions, type);
  return found != nullptr && found->status == "True";
}

json::Array encode_conditions(const Conditions& conditions) {
  json::Array array;
  for (const Condition& condition : conditions) {
    json::Object object{{"type", condition.type}, {"status", condition.status}};
    if (condition.observedGeneration != 0)
      object.set("observedGeneration", condition.observedGeneration);
    if (!condition.lastTransitionTime.empty())
      object.set("lastTransitionTime", condition.lastTransitionTime);
    if (!condition.reason.empty()) object.set("reason", condition.reason);
    object.set("message", condition.message);  // metav1.Condition requires it, even if empty
    array.emplace_back(std::move(object));
  }
  return array;
}

Conditions read_conditions(const json::Value& object) {
  Conditions conditions;
  const json::Value* list = json::find(object, {"status", "conditions"});
  if (list == nullptr || list->as_array() == nullptr) return conditions;
  for (const json::Value& one : *list->as_array()) {
    if (text(one, "type").empty()) continue;
    const json::Value* generation = one.find("observedGeneration");
    const bool has_generation = generation != nullptr && generation->as_int() != nullptr;
    conditions.push_back({text(one, "type"),
                          text(one, "status"),
                          text(one, "reason"),
                          text(one, "message"),
                          text(one, "lastTransitionTime"),
                          has_generation ? *generation->as_int() : 0});
  }
  return conditions;
}

}  // namespace kube::inline api
