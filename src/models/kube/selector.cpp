// SPDX-License-Identifier: Apache-2.0
#include "models/kube/selector.h"

#include "base/integer.h"
#include "models/kube/json.h"
#include "models/kube/label_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace models::kube {
namespace {

struct SelectableField {
  std::string_view plural;
  std::string_view name;
};
constexpr auto kSelectableFields = std::to_array<SelectableField>({
    {"pods", "spec.nodeName"},
    {"pods", "spec.schedulerName"},
    {"pods", "spec.restartPolicy"},
    {"pods", "spec.serviceAccountName"},
    {"pods", "spec.hostNetwork"},
    {"pods", "status.phase"},
    {"pods", "status.podIP"},
    {"pods", "status.podIPs"},
    {"pods", "status.nominatedNodeName"},
    {"nodes", "spec.unschedulable"},
    {"namespaces", "status.phase"},
    {"secrets", "type"},
    {"jobs", "status.successful"},
    {"events", "involvedObject.kind"},
    {"events", "involvedObject.namespace"},
    {"events", "involvedObject.name"},
    {"events", "involvedObject.uid"},
    {"events", "involvedObject.apiVersion"},
    {"events", "involvedObject.resourceVersion"},
    {"events", "involvedObject.fieldPath"},
    {"events", "reason"},
    {"events", "reportingComponent"},
    {"events", "source"},
    {"events", "type"},
});

bool is_selectable(const KubeResource& resource, std::string_view field) {
  if (field == "metadata.name") return true;
  if (field == "metadata.namespace") return resource.namespaced;
  return std::ranges::any_of(kSelectableFields, [&](const SelectableField& one) {
    return one.plural == resource.plural && one.name == field;
  });
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

base::Error invalid_term(std::string_view whole, std::string_view term) {
  return base::Error(base::Kind::invalid,
                     fmt::format("invalid selector: '{}'; can't understand '{}'", whole, term));
}

}  // namespace

base::Result<Selector> Selector::parse(std::string_view labels,
                                       std::string_view fields,
                                       const KubeResource& resource) {
  Selector selector;
  TRY(selector.labels_, LabelParser(labels).parse());
  if (fields.empty()) return selector;
  for (const std::string& term : split(fields, ',')) {
    if (term.empty()) continue;
    const std::size_t equals = term.find('=');
    if (equals == std::string::npos || equals == 0) return invalid_term(fields, term);
    const bool unequal = term[equals - 1] == '!';
    const std::string name = term.substr(0, equals - (unequal ? 1 : 0));
    const std::size_t value = equals + (term.substr(equals).starts_with("==") ? 2 : 1);
    if (!is_selectable(resource, name)) {
      return base::Error(base::Kind::invalid, "field label not supported: " + name);
    }
    selector.fields_.emplace_back(split(name, '.'), term.substr(value), !unequal);
  }
  return selector;
}

bool Selector::Requirement::matches(const std::string* label) const {
  const auto is_listed = [&] { return std::ranges::find(values, *label) != values.end(); };
  switch (op) {
    case Operator::in: return label != nullptr && is_listed();
    case Operator::not_in: return label == nullptr || !is_listed();
    case Operator::exists: return label != nullptr;
    case Operator::absent: return label == nullptr;
    case Operator::greater:
    case Operator::less: break;
  }
  if (label == nullptr) return false;
  const auto left = base::parse_integer<std::int64_t>(*label);
  const auto right = base::parse_integer<std::int64_t>(values.front());
  return left.ok() && right.ok() && (op == Operator::greater ? *left > *right : *left < *right);
}

bool Selector::FieldTerm::matches(const json::Value& object) const {
  const json::Value* there = &object;
  for (const std::string& key : way) {
    there = there->find(key);
    if (there == nullptr) break;
  }
  // The value of a field that is not set: empty, and false for a boolean.
  std::string_view held;
  if (there != nullptr && there->as_string() != nullptr) held = *there->as_string();
  if (there != nullptr && there->as_bool() != nullptr) held = *there->as_bool() ? "true" : "false";
  const bool is_switch =
      value == "false" && (way.back() == "hostNetwork" || way.back() == "unschedulable");
  const bool same = held == value || (held.empty() && is_switch);
  return same == equal;
}

bool Selector::matches(const json::Value& object) const {
  if (!labels_.empty()) {
    const json::Object& labels = object_at(object, {"metadata", "labels"});
    for (const Requirement& requirement : labels_) {
      const json::Value* label = labels.find(requirement.key);
      if (!requirement.matches(label == nullptr ? nullptr : label->as_string())) return false;
    }
  }
  return std::ranges::all_of(fields_, [&](const FieldTerm& term) { return term.matches(object); });
}

}  // namespace models::kube
