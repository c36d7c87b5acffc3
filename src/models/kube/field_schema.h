// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <string>
#include <string_view>
#include <vector>

// How fields are merged if several managers own parts of an object: the common part of the API's
// schema, by field name.
namespace models::kube {

enum class ListType {
  atomic,  // one owner for the whole list
  set,     // of values
  map,     // of objects that are identified by keys
};

ListType list_type(std::string_view field);

// True if all members of an object have one owner.
bool is_atomic_object(std::string_view field);
// The same for the elements of a list of type map.
bool has_atomic_elements(std::string_view list);

// How FieldsV1 writes an element of that list: "k:{...}", "v:...". Keys that the element omits have
// their defaults.
std::string element_name(std::string_view list, const json::Value& element);

// Fields that always exist in the server's types, with zero values: no manager adds them.
bool is_never_added(std::string_view field);

}  // namespace models::kube
