// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

// Sets of field names, as in managedFields.
namespace models::kube {

// The path of a field from the root. Each element has the form of FieldsV1: "f:spec" is a member,
// "k:{\"name\":\"c\"}" the list element with that key, "v:\"x\"" that value of a set.
using FieldPath = std::vector<std::string>;

// A set of fields. A field may be a member even if fields below it are members.
class FieldSet {
 public:
  using Paths = std::set<FieldPath>;

  // Reads and writes the format of fieldsV1 in managedFields.
  static FieldSet parse(const json::Value& fields_v1);
  json::Object text() const;

  const Paths& paths() const { return paths_; }
  bool empty() const { return paths_.empty(); }
  bool has(const FieldPath& path) const { return paths_.contains(path); }
  // True if the field, or a field below it, is a member.
  bool has_in(const FieldPath& path) const;

  void insert(FieldPath path) { paths_.insert(std::move(path)); }
  void insert(const FieldSet& other) { paths_.insert(other.paths_.begin(), other.paths_.end()); }
  void erase(const FieldSet& other);
  // Removes these fields and all fields below them.
  void erase_in(const FieldPath& path);
  FieldSet common(const FieldSet& other) const;

  friend bool operator==(const FieldSet&, const FieldSet&) = default;

 private:
  Paths paths_;
};

// The path as in messages: .spec.containers[name="c"].image
std::string field_name(const FieldPath& path);

}  // namespace models::kube
