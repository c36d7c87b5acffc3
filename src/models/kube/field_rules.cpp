// SPDX-License-Identifier: Apache-2.0
#include "models/kube/field_rules.h"

#include "models/kube/field_schema.h"
#include "models/kube/json.h"

#include <algorithm>
#include <utility>

namespace models::kube {
namespace {

// The position of a walk: the path of the field, and its name for the schema.
struct Place {
  FieldPath path;
  std::string field;  // "containers"; for an element, the name of its list
  bool is_element = false;

  Place member(const std::string& name) const {
    Place below{path, name, false};
    below.path.push_back("f:" + name);
    return below;
  }
  Place element(const json::Value& value) const {
    Place below{path, field, true};
    below.path.push_back(element_name(field, value));
    return below;
  }
  bool is_atomic(const json::Value& value) const {
    if (value.as_object() != nullptr)
      return is_element ? has_atomic_elements(field) : is_atomic_object(field);
    if (value.as_array() != nullptr) return is_element || list_type(field) == ListType::atomic;
    return true;
  }
};

const json::Value* find_element(const json::Value* list,
                                const std::string& field,
                                const std::string& name) {
  if (list == nullptr || list->as_array() == nullptr) return nullptr;
  const auto found = std::ranges::find_if(*list->as_array(), [&](const json::Value& element) {
    return element_name(field, element) == name;
  });
  return found == list->as_array()->end() ? nullptr : &*found;
}

void collect(const json::Value& value, const Place& place, FieldSet& set) {
  if (place.is_atomic(value) || (value.as_object() != nullptr && is_empty(value))) {
    if (!place.path.empty()) set.insert(place.path);
    return;
  }
  if (const json::Object* members = value.as_object()) {
    for (const json::Member& member : *members)
      collect(member.value, place.member(member.key), set);
  } else if (const json::Array* elements = value.as_array()) {
    for (const json::Value& element : *elements) {
      const Place below = place.element(element);
      collect(element, below, set);
      set.insert(below.path);
    }
  }
}

class Comparison {
 public:
  explicit Comparison(FieldChanges& changes) : changes_(changes) {}

  // One of the two may be nullptr.
  void compare(const json::Value* before, const json::Value* after, const Place& place) {
    const json::Value& shape = after != nullptr ? *after : *before;
    const bool both_empty = (before == nullptr || is_empty(*before)) &&
                            (after == nullptr || is_empty(*after)) && !place.path.empty();
    if (place.is_atomic(shape) || both_empty || is_other_type(before, after)) {
      note_leaf(before, after, place);
      return;
    }
    if (shape.as_object() != nullptr) {
      compare_objects(before, after, place);
    } else {
      compare_lists(before, after, place);
    }
    if (place.path.empty() || is_never_added(place.field)) {
      if (!place.is_element) return;
    }
    if (before == nullptr) changes_.added.insert(place.path);
    if (after == nullptr) changes_.removed.insert(place.path);
  }

 private:
  static bool is_other_type(const json::Value* before, const json::Value* after) {
    if (before == nullptr || after == nullptr) return false;
    return (before->as_object() == nullptr) != (after->as_object() == nullptr) ||
           (before->as_array() == nullptr) != (after->as_array() == nullptr);
  }

  void note_leaf(const json::Value* before, const json::Value* after, const Place& place) {
    if (before == nullptr) {
      changes_.added.insert(place.path);
    } else if (after == nullptr) {
      changes_.removed.insert(place.path);
    } else if (!(*before == *after)) {
      changes_.modified.insert(place.path);
    }
  }

  void compare_objects(const json::Value* before, const json::Value* after, const Place& place) {
    if (after != nullptr) {
      for (const json::Member& member : *after->as_object()) {
        const json::Value* old = before == nullptr ? nullptr : before->find(member.key);
        compare(old, &member.value, place.member(member.key));
      }
    }
    if (before == nullptr) return;
    for (const json::Member& member : *before->as_object()) {
      if (after == nullptr || after->find(member.key) == nullptr)
        compare(&member.value, nullptr, place.member(member.key));
    }
  }

  void compare_lists(const json::Value* before, const json::Value* after, const Place& place) {
    if (after != nullptr) {
      for (const json::Value& element : *after->as_array()) {
        const Place below = place.element(element);
        compare(find_element(before, place.field, below.path.back()), &element, below);
      }
    }
    if (before == nullptr) return;
    for (const json::Value& element : *before->as_array()) {
      const Place below = place.element(element);
      if (find_element(after, place.field, below.path.back()) == nullptr)
        compare(&element, nullptr, below);
    }
  }

  FieldChanges& changes_;
};

json::Value merged(const json::Value& live, const json::Value& applied, const Place& place);

json::Value merged_lists(const json::Value& live, const json::Value& applied, const Place& place) {
  const json::Array& left = *live.as_array();
  const json::Array& right = *applied.as_array();
  json::Array result;
  std::size_t l = 0;
  std::size_t r = 0;
  const auto name = [&](const json::Value& element) { return element_name(place.field, element); };
  while (l < left.size() || r < right.size()) {
    const bool same = l < left.size() && r < right.size() && name(left[l]) == name(right[r]);
    if (!same && l < left.size()) {
      const bool is_applied = find_element(&applied, place.field, name(left[l])) != nullptr;
      const auto done = right.begin() + static_cast<std::ptrdiff_t>(r);
      const bool is_done = std::any_of(
          right.begin(), done, [&](const json::Value& one) { return name(one) == name(left[l]); });
      if (!is_applied || is_done) {
        if (!is_applied) result.push_back(left[l]);
        ++l;
        continue;
      }
    }
    const json::Value* there = find_element(&live, place.field, name(right[r]));
    result.push_back(there == nullptr ? right[r]
                                      : merged(*there, right[r], place.element(right[r])));
    ++r;
    if (same) ++l;
  }
  return result;
}

json::Value merged(const json::Value& live, const json::Value& applied, const Place& place) {
  if (place.is_atomic(applied)) return applied;
  if (applied.as_object() != nullptr) {
    json::Object result = live.as_object() == nullptr ? json::Object{} : *live.as_object();
    for (const json::Member& member : *applied.as_object()) {
      const json::Value* there = result.find(member.key);
      if (member.value.is_null()) {
        result.erase(member.key);
      } else if (there == nullptr) {
        result.set(member.key, member.value);
      } else {
        result.set(member.key, merged(*there, member.value, place.member(member.key)));
      }
    }
    return result;
  }
  return live.as_array() == nullptr ? applied : merged_lists(live, applied, place);
}

// Removes the field at the path.
void remove_at(json::Value& object, const FieldPath& path) {
  json::Value* value = &object;
  std::string field;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool is_last = i + 1 == path.size();
    if (path[i].starts_with("f:")) {
      field = path[i].substr(2);
      json::Object* members = value->as_object();
      if (members == nullptr || members->find(field) == nullptr) return;
      if (is_last) {
        members->erase(field);
        return;
      }
      value = members->find(field);
    } else {
      json::Array* elements = value->as_array();
      if (elements == nullptr) return;
      const auto found = std::ranges::find_if(
          *elements, [&](const json::Value& one) { return element_name(field, one) == path[i]; });
      if (found == elements->end()) return;
      if (is_last) {
        elements->erase(found);
        return;
      }
      value = &*found;
    }
  }
}

}  // namespace

FieldSet fields_of(const json::Value& object) {
  FieldSet set;
  collect(object, {}, set);
  return set;
}

FieldChanges compare_fields(const json::Value& before, const json::Value& after) {
  FieldChanges changes;
  Comparison(changes).compare(&before, &after, {});
  return changes;
}

json::Value merge_applied(const json::Value& live, const json::Value& applied) {
  return merged(live, applied, {});
}

void prune_applied(json::Value& object, const FieldSet& last, const FieldSet& wanted) {
  FieldSet candidates = last;
  for (const FieldPath& path : last.paths()) {
    for (std::size_t size = path.size() - 1; size > 0; --size) {
      if (path[size - 1].starts_with("f:"))
        candidates.insert(
            FieldPath(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(size)));
    }
  }
  for (const FieldPath& path : candidates.paths()) {
    if (!wanted.has_in(path)) remove_at(object, path);
  }
}

}  // namespace models::kube
