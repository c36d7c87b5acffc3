// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "models/kube/fields.h"
#include "models/kube/refusal.h"

#include <string>
#include <string_view>
#include <vector>

namespace models::kube {

// Who writes, as managedFields tells managers apart.
struct FieldManager {
  std::string name;
  bool applies = false;  // else it updates
  std::string api_version;
  std::string subresource = {};

  friend bool operator==(const FieldManager&, const FieldManager&) = default;
};

// metadata.managedFields of one object: which manager owns which fields.
class FieldManagers {
 public:
  static FieldManagers read(const json::Value& object);
  // `now` is the time of the managers whose fields have changed since read().
  void write(json::Value& object, const std::string& now) const;

  bool empty() const { return entries_.empty(); }
  // Somebody has applied this object.
  bool has_appliers() const;

  // An update, create or patch has made `after` of `before`.
  void updated(const FieldManager& manager, const json::Value& before, const json::Value& after);

  // An object that nobody's writes were recorded of, before its first apply: all of it belongs to
  // one who updates.
  void begin_with(const json::Value& live, std::string api_version);

  // Makes the object that an apply leads to. Refuses (409) if it would change fields of others and
  // does not force.
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
  // The fields change by another manager's hand: they are not these managers' any longer.
  void take_from_others(const FieldManager& manager, const FieldSet& taken);
  void drop_empty();

  std::vector<Entry> entries_;
};

}  // namespace models::kube
