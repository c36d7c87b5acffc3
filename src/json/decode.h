// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/strong.h"
#include "json/node.h"

#include <boost/describe.hpp>
#include <boost/mp11.hpp>
#include <fmt/format.h>

#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Typed decoding: fills a plain struct, described with BOOST_DESCRIBE_STRUCT, from an object.
//
// Expects     member names equal to the JSON names (a trailing underscore is for C++ keywords:
//             `namespace_` reads "namespace").
// Guarantees  absent and null members keep their defaults, unknown members are ignored; a member of
//             the wrong type is an error with its path: "$.spec.containers[0].name: expected a
//             string, got an integer".
// Does not    belong in headers that many files include: describe and decode a type in its own
//             .cpp.
namespace json {

// What is wrong, and where. Each level prepends its part of the path while the error is returned.
struct Mismatch {
  std::string path;
  std::string message;
};
using MaybeMismatch = std::optional<Mismatch>;  // empty: the value matches

inline MaybeMismatch mismatch(const Node& node, std::string_view wanted) {
  return Mismatch{"", fmt::format("expected {}, got {}", wanted, name(node.type()))};
}

template <class T>
MaybeMismatch decode_into(const Node& node, T& out);

namespace detail {

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsStringMap : std::false_type {};
template <class T>
struct IsStringMap<std::map<std::string, T>> : std::true_type {};
template <class T>
struct IsStrong : std::false_type {};
template <class T, class Tag>
struct IsStrong<base::Strong<T, Tag>> : std::true_type {};

template <class T>
concept DecodesItself = requires(const Node& node, T& out) {
  { decode_json(node, out) } -> std::same_as<MaybeMismatch>;
};

template <class T>
MaybeMismatch integer(const Node& node, T& out) {
  const auto n = node.as_int();
  if (!n) return mismatch(node, "an integer");
  if (!std::in_range<T>(*n)) return Mismatch{"", fmt::format("{} is out of range", *n)};
  out = static_cast<T>(*n);
  return std::nullopt;
}

template <class T>
MaybeMismatch array(const Node& node, std::vector<T>& out) {
  if (node.type() != Type::array) return mismatch(node, "an array");
  MaybeMismatch wrong;
  out.clear();
  node.each_element([&](Node element) {
    wrong = decode_into(element, out.emplace_back());
    if (wrong) wrong->path.insert(0, fmt::format("[{}]", out.size() - 1));
    return !wrong;
  });
  return wrong;
}

template <class T>
MaybeMismatch string_map(const Node& node, std::map<std::string, T>& out) {
  if (node.type() != Type::object) return mismatch(node, "an object");
  MaybeMismatch wrong;
  out.clear();
  node.each_member([&](std::string_view key, Node member) {
    if (member.is_null() || out.contains(std::string(key))) return true;
    wrong = decode_into(member, out[std::string(key)]);
    if (wrong) wrong->path.insert(0, fmt::format("[{:?}]", key));
    return !wrong;
  });
  return wrong;
}

constexpr std::string_view json_name(std::string_view member) {
  return member.ends_with('_') ? member.substr(0, member.size() - 1) : member;
}

template <class T>
MaybeMismatch described(const Node& node, T& out) {
  if (node.type() != Type::object) return mismatch(node, "an object");
  using Members = boost::describe::describe_members<T, boost::describe::mod_public>;
  MaybeMismatch wrong;
  // If a name is repeated, the first member is used, as in Node::find().
  std::array<bool, boost::mp11::mp_size<Members>::value> seen{};
  node.each_member([&](std::string_view key, Node member) {
    bool taken = false;
    std::size_t index = 0;
    boost::mp11::mp_for_each<Members>([&](auto description) {
      constexpr std::string_view kName = json_name(description.name);
      const std::size_t at = index++;
      if (taken || key != kName) return;
      taken = true;
      if (std::exchange(seen[at], true)) return;
      wrong = decode_into(member, out.*description.pointer);
      if (wrong) wrong->path.insert(0, fmt::format(".{}", kName));
    });
    return !wrong;
  });
  return wrong;
}

}  // namespace detail

template <class T>
MaybeMismatch decode_into(const Node& node, T& out) {
  if constexpr (std::is_same_v<T, Value>) {
    out = node.to_value();
    return std::nullopt;
  } else if (node.is_null()) {
    return std::nullopt;
  } else if constexpr (detail::DecodesItself<T>) {
    return decode_json(node, out);
  } else if constexpr (detail::IsOptional<T>::value) {
    return decode_into(node, out.emplace());
  } else if constexpr (detail::IsStrong<T>::value) {
    std::remove_cvref_t<decltype(out.value())> plain{};
    if (MaybeMismatch wrong = decode_into(node, plain)) return wrong;
    out = T(std::move(plain));
    return std::nullopt;
  } else if constexpr (std::is_same_v<T, bool>) {
    const auto b = node.as_bool();
    if (!b) return mismatch(node, "a boolean");
    out = *b;
    return std::nullopt;
  } else if constexpr (std::is_integral_v<T>) {
    return detail::integer(node, out);
  } else if constexpr (std::is_floating_point_v<T>) {
    const auto d = node.as_double();
    if (!d) return mismatch(node, "a number");
    out = static_cast<T>(*d);
    return std::nullopt;
  } else if constexpr (std::is_same_v<T, std::string>) {
    const auto s = node.as_string();
    if (!s) return mismatch(node, "a string");
    out.assign(*s);
    return std::nullopt;
  } else if constexpr (detail::IsVector<T>::value) {
    return detail::array(node, out);
  } else if constexpr (detail::IsStringMap<T>::value) {
    return detail::string_map(node, out);
  } else {
    return detail::described(node, out);
  }
}

// Decodes a whole value; the error contains the full path.
template <class T>
base::Result<T> decode(const Node& node) {
  T out{};
  if (const MaybeMismatch wrong = decode_into(node, out)) {
    return base::Error(base::Kind::protocol, fmt::format("${}: {}", wrong->path, wrong->message));
  }
  return out;
}

}  // namespace json
