// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "models/kube/fields.h"
#include "models/kube/refusal.h"

#include <string>
#include <string_view>
#include <vector>

namespace models::kube {

// A field manager, as identified in managedFields.
struct FieldManager {
  std::string name;
  bool applies = false;  // false: it updates
  std::string api_version;
  std::string subresource = {};

  friend bool operator==(const FieldManager&, const FieldManager&) = default;
};

// metadata.managedFields of one object: the fields that each manager owns.
class FieldManagers {
 public:
  static FieldManagers read(const json::Value& object);
  // `now` becomes the time of the managers whose fields have changed since read().
  void write(json::Value& object, const std::string& now) const;

  bool empty() const { return entries_.empty(); }
  // True if a manager has applied this object.
  bool has_appliers() const;

  // An update, create or patch has changed `before` to `after`.
  void updated(const FieldManager& manager, const json::Value& before, const json::Value& after);

  // An object without recorded managers, before its first apply: all its fields belong to one
  // manager that updates.
  void begin_with(const json::Value& live, std::string api_version);

  // The object that results from an apply. Fails (409) if it would change fields of other managers
  // without force.
  Refused apply(const FieldManager& manager,
                const json::Value& live,
                const json::Value& applied,
                bool force,
                json::Value& result);

 private:
  struct Entry {
    FieldManager manager;
    FieldSet fields;
    std::string time;
    FieldSet before = {};  // when it was read
  };
  Entry* find(const FieldManager& manager);
  Entry& entry(const FieldManager& manager);
  // Another manager changed these fields: the former managers no longer own them.
  void take_from_others(const FieldManager& manager, const FieldSet& taken);
  void drop_empty();

  std::vector<Entry> entries_;
};

}  // namespace models::kube
