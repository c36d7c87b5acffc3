// SPDX-License-Identifier: Apache-2.0
#include "models/kube/managers.h"

#include "models/kube/field_rules.h"
#include "models/kube/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace models::kube {
namespace {

// Fields without an owner: those that identify the object and those that the server maintains.
FieldSet without_identity(FieldSet fields) {
  for (const char* name : {"f:apiVersion", "f:kind"}) fields.erase_in({name});
  for (const char* name : {"f:name",
                           "f:namespace",
                           "f:uid",
                           "f:resourceVersion",
                           "f:generation",
                           "f:creationTimestamp",
                           "f:selfLink",
                           "f:deletionTimestamp",
                           "f:deletionGracePeriodSeconds",
                           "f:managedFields"}) {
    fields.erase_in({"f:metadata", name});
  }
  FieldSet metadata;
  metadata.insert({"f:metadata"});
  fields.erase(metadata);
  return fields;
}

std::string whose(const FieldManager& manager) {
  std::string text = "\"" + manager.name + "\"";
  if (!manager.subresource.empty())
    text += fmt::format(" with subresource \"{}\"", manager.subresource);
  if (!manager.applies) text += " using " + manager.api_version;
  return text;
}

// The message has one line per manager, or per field if a manager has several.
Refusal conflict_of(const std::vector<std::pair<std::string, FieldSet>>& conflicts) {
  json::Array causes;
  std::string message;
  std::size_t count = 0;
  for (const auto& [manager, fields] : conflicts) {
    count += fields.paths().size();
    if (!message.empty()) message += "\n";
    const bool one = fields.paths().size() == 1;
    message += (one ? "conflict with " : "conflicts with ") + manager + ":";
    for (const FieldPath& path : fields.paths()) {
      message += (one ? " " : "\n- ") + field_name(path);
      causes.emplace_back(json::Object{{"reason", "FieldManagerConflict"},
                                       {"message", "conflict with " + manager},
                                       {"field", field_name(path)}});
    }
  }
  return {409,
          "Conflict",
          fmt::format("Apply failed with {} conflict{}: {}", count, count == 1 ? "" : "s", message),
          json::Object{{"causes", std::move(causes)}},
          {}};
}

}  // namespace

FieldManagers FieldManagers::read(const json::Value& object) {
  FieldManagers managers;
  for (const json::Value& entry : array_at(object, {"metadata", "managedFields"})) {
    const json::Value* fields = entry.find("fieldsV1");
    FieldSet set = fields == nullptr ? FieldSet() : FieldSet::parse(*fields);
    managers.entries_.push_back({{std::string(text_at(entry, {"manager"})),
                                  text_at(entry, {"operation"}) == "Apply",
                                  std::string(text_at(entry, {"apiVersion"})),
                                  std::string(text_at(entry, {"subresource"}))},
                                 set,
                                 std::string(text_at(entry, {"time"})),
                                 set});
  }
  return managers;
}

void FieldManagers::write(json::Value& object, const std::string& now) const {
  std::vector<const Entry*> order;
  for (const Entry& entry : entries_) order.push_back(&entry);
  std::ranges::sort(order, {}, [](const Entry* entry) {
    const FieldManager& manager = entry->manager;
    return std::tuple(!manager.applies, manager.name, manager.subresource, manager.api_version);
  });
  json::Array array;
  for (const Entry* entry : order) {
    json::Object text{{"manager", entry->manager.name},
                      {"operation", entry->manager.applies ? "Apply" : "Update"},
                      {"apiVersion", entry->manager.api_version},
                      {"time", entry->fields == entry->before ? entry->time : now},
                      {"fieldsType", "FieldsV1"},
                      {"fieldsV1", entry->fields.text()}};
    if (!entry->manager.subresource.empty()) text.set("subresource", entry->manager.subresource);
    array.emplace_back(std::move(text));
  }
  json::Object& metadata = object_in(*object.as_object(), "metadata");
  if (array.empty()) {
    metadata.erase("managedFields");
  } else {
    metadata.set("managedFields", std::move(array));
  }
}

bool FieldManagers::has_appliers() const {
  return std::ranges::any_of(entries_, [](const Entry& entry) { return entry.manager.applies; });
}

FieldManagers::Entry* FieldManagers::find(const FieldManager& manager) {
  const auto found = std::ranges::find(entries_, manager, &Entry::manager);
  return found == entries_.end() ? nullptr : &*found;
}

FieldManagers::Entry& FieldManagers::entry(const FieldManager& manager) {
  if (Entry* found = find(manager)) return *found;
  entries_.push_back({manager, {}, {}});
  return entries_.back();
}

void FieldManagers::take_from_others(const FieldManager& manager, const FieldSet& taken) {
  for (Entry& entry : entries_) {
    if (!(entry.manager == manager)) entry.fields.erase(taken);
  }
}

void FieldManagers::drop_empty() {
  std::erase_if(entries_, [](const Entry& entry) { return entry.fields.empty(); });
}

void FieldManagers::updated(const FieldManager& manager,
                            const json::Value& before,
                            const json::Value& after) {
  FieldChanges changes = compare_fields(before, after);
  for (FieldSet* set : {&changes.added, &changes.modified, &changes.removed})
    *set = without_identity(std::move(*set));
  for (const FieldSet* taken : {&changes.added, &changes.modified, &changes.removed})
    take_from_others(manager, *taken);
  Entry& own = entry(manager);
  own.fields.erase(changes.removed);
  own.fields.insert(changes.added);
  own.fields.insert(changes.modified);
  drop_empty();
}

void FieldManagers::begin_with(const json::Value& live, std::string api_version) {
  const json::Value nothing = json::Object{};
  updated({"before-first-apply", false, std::move(api_version)}, nothing, live);
}

Refused FieldManagers::apply(const FieldManager& manager,
                             const json::Value& live,
                             const json::Value& applied,
                             bool force,
                             json::Value& result) {
  const FieldSet fields = fields_of(applied);
  const Entry* before = find(manager);
  const FieldSet last = before == nullptr ? FieldSet() : before->fields;
  FieldSet wanted = fields;
  for (const Entry& entry : entries_) {
    if (!(entry.manager == manager)) wanted.insert(entry.fields);
  }
  result = merge_applied(live, applied);
  prune_applied(result, last, wanted);

  const FieldChanges changes = compare_fields(live, result);
  FieldSet touched = changes.added;
  touched.insert(changes.modified);
  std::vector<std::pair<std::string, FieldSet>> conflicts;
  for (const Entry& entry : entries_) {
    if (entry.manager == manager) continue;
    if (FieldSet both = entry.fields.common(touched); !both.empty())
      conflicts.emplace_back(whose(entry.manager), std::move(both));
  }
  if (!conflicts.empty() && !force) return conflict_of(conflicts);
  take_from_others(manager, touched);
  take_from_others(manager, changes.removed);
  entry(manager).fields = without_identity(fields);
  drop_empty();
  return std::nullopt;
}

}  // namespace models::kube
