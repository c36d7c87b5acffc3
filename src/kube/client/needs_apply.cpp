// SPDX-License-Identifier: Apache-2.0
#include "kube/client/needs_apply.h"

#include "json/pointer.h"

#include <algorithm>
#include <array>

namespace kube::inline client {
namespace {

std::string_view text(const json::Value& object, std::string_view key) {
  const json::Value* value = object.find(key);
  return value == nullptr || value->as_string() == nullptr ? std::string_view()
                                                           : std::string_view(*value->as_string());
}

// Returns the fields that the manager applied, from managedFields (FieldsV1); nullptr if none.
const json::Object* owned_fields(const json::Value& live,
                                 std::string_view manager,
                                 std::string_view subresource) {
  const json::Value* entries = json::find(live, {"metadata", "managedFields"});
  if (entries == nullptr || entries->as_array() == nullptr) return nullptr;
  for (const json::Value& entry : *entries->as_array()) {
    const json::Value* fields = entry.find("fieldsV1");
    if (fields != nullptr && text(entry, "manager") == manager &&
        text(entry, "operation") == "Apply" && text(entry, "subresource") == subresource) {
      return fields->as_object();
    }
  }
  return nullptr;
}

// Fields that identify the object and are owned by no manager.
bool is_identity(std::string_view parent, std::string_view key) {
  constexpr auto kRoot = std::to_array<std::string_view>({"apiVersion", "kind"});
  constexpr auto kMetadata = std::to_array<std::string_view>({"name",
                                                              "namespace",
                                                              "uid",
                                                              "resourceVersion",
                                                              "generation",
                                                              "creationTimestamp",
                                                              "managedFields"});
  if (parent.empty()) return std::ranges::find(kRoot, key) != kRoot.end();
  return parent == "metadata" && std::ranges::find(kMetadata, key) != kMetadata.end();
}

// Whether the desired value is present; members that the server added to objects do not count.
bool contains(const json::Value& live, const json::Value& desired) {
  if (const json::Object* members = desired.as_object()) {
    return live.as_object() != nullptr && std::ranges::all_of(*members, [&](const auto& member) {
             const json::Value* there = live.find(member.key);
             return there != nullptr && contains(*there, member.value);
           });
  }
  if (const json::Array* elements = desired.as_array()) {
    const json::Array* there = live.as_array();
    return there != nullptr && std::ranges::equal(*there, *elements, contains);
  }
  return live == desired;
}

class Comparison {
 public:
  // `parent` is the name of the member that holds the object, empty for the root.
  static bool same(const json::Value& live,
                   const json::Value& desired,
                   const json::Object& owned,
                   std::string_view parent) {
    const bool is_leaf =
        std::ranges::all_of(owned, [](const json::Member& member) { return member.key == "."; });
    if (is_leaf) return contains(live, desired);
    if (desired.as_object() != nullptr)
      return same_object(live, *desired.as_object(), owned, parent);
    if (desired.as_array() != nullptr) return same_list(live, *desired.as_array(), owned);
    return false;
  }

 private:
  static bool same_object(const json::Value& live,
                          const json::Object& desired,
                          const json::Object& owned,
                          std::string_view parent) {
    std::size_t compared = 0;
    for (const json::Member& member : desired) {
      if (is_identity(parent, member.key)) continue;
      const json::Value* there = live.find(member.key);
      const json::Value* field = owned.find("f:" + member.key);
      if (field == nullptr && parent.empty() && has_only_identity(member)) continue;
      if (there == nullptr || field == nullptr || field->as_object() == nullptr) return false;
      if (!same(*there, member.value, *field->as_object(), parent.empty() ? member.key : "-"))
        return false;
      ++compared;
    }
    return compared == fields_in(owned);
  }

  // Metadata with only a name owns no field.
  static bool has_only_identity(const json::Member& member) {
    const json::Object* object = member.value.as_object();
    return object != nullptr && std::ranges::all_of(*object, [&](const json::Member& inside) {
             return is_identity(member.key, inside.key);
           });
  }

  static bool same_list(const json::Value& live,
                        const json::Array& desired,
                        const json::Object& owned) {
    const json::Array* there = live.as_array();
    if (there == nullptr || fields_in(owned) != desired.size()) return false;
    return std::ranges::all_of(owned, [&](const json::Member& field) {
      if (field.key == ".") return true;
      const auto key = json::parse(std::string_view(field.key).substr(2));
      if (!key.ok()) return false;
      if (field.key.starts_with("v:")) return has(desired, *key) && has(*there, *key);
      const json::Value* wanted = find_by_key(desired, *key);
      const json::Value* present = find_by_key(*there, *key);
      return wanted != nullptr && present != nullptr && field.value.as_object() != nullptr &&
             same(*present, *wanted, *field.value.as_object(), "-");
    });
  }

  static bool has(const json::Array& list, const json::Value& value) {
    return std::ranges::find(list, value) != list.end();
  }

  // A key that the element omits has its default ("protocol": "TCP").
  static const json::Value* find_by_key(const json::Array& list, const json::Value& key) {
    if (key.as_object() == nullptr) return nullptr;
    const auto found = std::ranges::find_if(list, [&](const json::Value& element) {
      bool any = false;
      const bool fits = std::ranges::all_of(*key.as_object(), [&](const json::Member& part) {
        const json::Value* given = element.find(part.key);
        any = any || given != nullptr;
        return given == nullptr || *given == part.value;
      });
      return fits && any;
    });
    return found == list.end() ? nullptr : &*found;
  }

  static std::size_t fields_in(const json::Object& owned) {
    return owned.size() - (owned.find(".") == nullptr ? 0U : 1U);
  }
};

}  // namespace

bool needs_apply(const json::Value& live,
                 const json::Object& desired,
                 std::string_view manager,
                 std::string_view subresource) {
  const json::Object* owned = owned_fields(live, manager, subresource);
  return owned == nullptr || !Comparison::same(live, desired, *owned, "");
}

}  // namespace kube::inline client
