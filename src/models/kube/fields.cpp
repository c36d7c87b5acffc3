// SPDX-License-Identifier: Apache-2.0
#include "models/kube/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace models::kube {
namespace {

bool is_below(const FieldPath& path, const FieldPath& above) {
  return path.size() >= above.size() && std::equal(above.begin(), above.end(), path.begin());
}

void read(const json::Value& node, FieldPath& path, FieldSet& set) {
  const json::Object* members = node.as_object();
  if (members == nullptr) return;
  if (members->empty() && !path.empty()) set.insert(path);
  for (const json::Member& member : *members) {
    if (member.key == ".") {
      set.insert(path);
      continue;
    }
    path.push_back(member.key);
    read(member.value, path, set);
    path.pop_back();
  }
}

json::Object& child(json::Object& node, const std::string& element) {
  if (json::Value* found = node.find(element)) return *found->as_object();
  node.set(element, json::Object{});
  return *node.find(element)->as_object();
}

}  // namespace

FieldSet FieldSet::parse(const json::Value& fields_v1) {
  FieldSet set;
  FieldPath path;
  read(fields_v1, path, set);
  return set;
}

json::Object FieldSet::text() const {
  json::Object root;
  for (const FieldPath& path : paths_) {
    json::Object* node = &root;
    for (const std::string& element : path) node = &child(*node, element);
  }
  // A manager that owns fields below marks its ownership of the field itself with ".".
  for (const FieldPath& path : paths_) {
    json::Object* node = &root;
    for (const std::string& element : path) node = &child(*node, element);
    if (!node->empty()) node->set(".", json::Object{});
  }
  return root;
}

bool FieldSet::has_in(const FieldPath& path) const {
  const auto first = paths_.lower_bound(path);
  return first != paths_.end() && is_below(*first, path);
}

void FieldSet::erase(const FieldSet& other) {
  for (const FieldPath& path : other.paths_) paths_.erase(path);
}

void FieldSet::erase_in(const FieldPath& path) {
  std::erase_if(paths_, [&](const FieldPath& one) { return is_below(one, path); });
}

FieldSet FieldSet::common(const FieldSet& other) const {
  FieldSet both;
  for (const FieldPath& path : paths_) {
    if (other.has(path)) both.insert(path);
  }
  return both;
}

std::string field_name(const FieldPath& path) {
  std::string name;
  for (const std::string& element : path) {
    const std::string_view text = std::string_view(element).substr(2);
    if (element.starts_with("f:")) {
      name.append(".").append(text);
    } else if (element.starts_with("v:")) {
      name.append(fmt::format("[={}]", text));
    } else if (const auto key = json::parse(text); key.ok() && key->as_object() != nullptr) {
      std::vector<std::string> parts;
      for (const json::Member& member : *key->as_object())
        parts.push_back(fmt::format("{}={}", member.key, member.value.dump()));
      name.append(fmt::format("[{}]", fmt::join(parts, ",")));
    }
  }
  return name;
}

}  // namespace models::kube
