// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/strong.h"
#include "json/decode.h"
#include "json/value.h"

#include <boost/describe.hpp>
#include <boost/mp11.hpp>

#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

// Typed encoding, the inverse of json/decode.h.
//
// Expects     structs described with BOOST_DESCRIBE_STRUCT, members named as in JSON.
// Guarantees  members appear in the order of their description. Empty members are omitted, as Go's
//             `omitempty` does: strings, arrays, maps, empty optionals, zero, false, and objects
//             without members. A value in an optional is always written, even zero and false.
// Does not    belong in headers that many files include: encode a type in its own .cpp.
namespace json {

template <class T>
Value encode(const T& value);

namespace detail {

template <class T>
concept EncodesItself = requires(const T& value) {
  { encode_json(value) } -> std::same_as<Value>;
};

inline bool is_left_out(const Value& value) {
  if (const bool* flag = value.as_bool()) return !*flag;
  if (const std::int64_t* number = value.as_int()) return *number == 0;
  if (const double* number = value.as_double()) return *number == 0;
  if (const std::string* text = value.as_string()) return text->empty();
  if (const Array* array = value.as_array()) return array->empty();
  if (const Object* object = value.as_object()) return object->empty();
  return true;
}

template <class T>
Value encode_described(const T& value) {
  using Members = boost::describe::describe_members<T, boost::describe::mod_public>;
  Object object;
  boost::mp11::mp_for_each<Members>([&](auto description) {
    const auto& member = value.*description.pointer;
    constexpr std::string_view kName = json_name(description.name);
    if constexpr (IsOptional<std::remove_cvref_t<decltype(member)>>::value) {
      if (member) object.set(kName, encode(*member));
    } else {
      Value encoded = encode(member);
      if (!is_left_out(encoded)) object.set(kName, std::move(encoded));
    }
  });
  return object;
}

}  // namespace detail

template <class T>
Value encode(const T& value) {
  if constexpr (detail::EncodesItself<T>) {
    return encode_json(value);
  } else if constexpr (detail::IsStrong<T>::value) {
    return encode(value.value());
  } else if constexpr (detail::IsOptional<T>::value) {
    return value ? encode(*value) : Value();
  } else if constexpr (detail::IsVector<T>::value) {
    Array array;
    for (const auto& element : value) array.push_back(encode(element));
    return array;
  } else if constexpr (detail::IsStringMap<T>::value) {
    Object object;
    for (const auto& [key, member] : value) object.set(key, encode(member));
    return object;
  } else if constexpr (std::is_convertible_v<T, Value>) {
    return Value(value);
  } else {
    return detail::encode_described(value);
  }
}

}  // namespace json
