// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/value.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace json {

enum class Type { null, boolean, integer, number, string, array, object };

std::string_view name(Type type);

// A place in a parsed document. Cheap to copy; valid until its Parser parses again or is destroyed.
// Strings are views into the memory of the parser.
class Node {
 public:
  Type type() const;
  bool is_null() const { return type() == Type::null; }

  // Each returns nothing if the node has another type (or, for integers, is out of range).
  std::optional<bool> as_bool() const;
  std::optional<std::int64_t> as_int() const;
  std::optional<double> as_double() const;
  std::optional<std::string_view> as_string() const;

  // Member of an object; empty if absent or null, or if this is not an object.
  std::optional<Node> find(std::string_view key) const;

  // Visit in document order; no calls if the node has another type. Return false to stop.
  template <class F>
  void each_member(F&& visit) const {
    visit_members(
        [](void* f, std::string_view key, Node value) {
          return (*static_cast<std::remove_reference_t<F>*>(f))(key, value);
        },
        &visit);
  }
  template <class F>
  void each_element(F&& visit) const {
    visit_elements(
        [](void* f, Node value) { return (*static_cast<std::remove_reference_t<F>*>(f))(value); },
        &visit);
  }

  Value to_value() const;

 private:
  friend class Parser;
  friend struct NodeAccess;
  using MemberVisitor = bool (*)(void*, std::string_view, Node);
  using ElementVisitor = bool (*)(void*, Node);
  void visit_members(MemberVisitor visit, void* context) const;
  void visit_elements(ElementVisitor visit, void* context) const;

  alignas(std::uint64_t) std::byte place_[16];  // a simdjson::dom::element, hidden from this header
};

// Parses one document at a time and reuses its memory, but frees the memory of unusually large
// documents. Invalid UTF-8 (Slurm sends it) is repaired, not rejected.
class Parser {
 public:
  Parser();
  ~Parser();
  Parser(Parser&&) noexcept;
  Parser& operator=(Parser&&) noexcept;

  // The node is valid until the next call. The text need not outlive the call.
  base::Result<Node> parse(std::string_view text);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace json
