// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <string_view>
#include <utility>

// Setting members that may be empty. The server does not store most empty strings, lists and maps;
// an object that contains them would differ from the stored one for ever.
namespace slurmop::objects {

inline void set_unless_empty(json::Object& object, std::string_view key, std::string_view text) {
  if (!text.empty()) object.set(key, text);
}

inline void set_unless_empty(json::Object& object, std::string_view key, json::Array list) {
  if (!list.empty()) object.set(key, std::move(list));
}

inline void set_unless_empty(json::Object& object, std::string_view key, json::Object members) {
  if (!members.empty()) object.set(key, std::move(members));
}

}  // namespace slurmop::objects
