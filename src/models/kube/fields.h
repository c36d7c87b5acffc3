// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

// The fields of an object by name: what managedFields speaks of.
namespace models::kube {

// The way to a field, from the root. Each element is written as FieldsV1 writes it: "f:spec" is a
// member, "k:{\"name\":\"c\"}" the list element with that key, "v:\"x\"" that value of a set.
using FieldPath = std::vector<std::string>;

// A set of fields. A field may be a member although fields below it are members, too.
class FieldSet {
 public:
  using Paths = std::set<FieldPath>;

  // Reads and writes the form of managedFields' fieldsV1.
  static FieldSet parse(const json::Value& fields_v1);
  json::Object text() const;

  const Paths& paths() const { return paths_; }
  bool empty() const { return paths_.empty(); }
  bool has(const FieldPath& path) const { return paths_.contains(path); }
  // The field, or one below it, is a member.
  bool has_in(const FieldPath& path) const;

  void insert(FieldPath path) { paths_.insert(std::move(path)); }
  void insert(const FieldSet& other) { paths_.insert(other.paths_.begin(), other.paths_.end()); }
  void erase(const FieldSet& other);
  // Takes these fields and everything below them out.
  void erase_in(const FieldPath& path);
  FieldSet common(const FieldSet& other) const;

  friend bool operator==(const FieldSet&, const FieldSet&) = default;

 private:
  Paths paths_;
};

// As messages name it: .spec.containers[name="c"].image
std::string field_name(const FieldPath& path);

}  // namespace models::kube
