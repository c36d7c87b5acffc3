// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace json {

class Value;
struct Member;
using Array = std::vector<Value>;

// An object that keeps its members in the order of insertion, so that equal requests have equal
// bytes. Lookup is linear: our objects are small.
class Object {
 public:
  Object();
  Object(std::initializer_list<Member> members);
  Object(const Object&);
  Object(Object&&) noexcept;
  Object& operator=(const Object&);
  Object& operator=(Object&&) noexcept;
  ~Object();

  // Replaces the member of that name or appends it.
  Object& set(std::string_view key, Value value);
  bool erase(std::string_view key);
  const Value* find(std::string_view key) const;
  Value* find(std::string_view key);

  std::size_t size() const;
  bool empty() const { return size() == 0; }
  const Member* begin() const;
  const Member* end() const;
  // For changing values in place; do not change the keys.
  Member* begin();
  Member* end();
  template <class Predicate>
  std::size_t erase_if(Predicate&& predicate);

  friend bool operator==(const Object& a, const Object& b);  // ignores the order

 private:
  std::vector<Member> members_;
};

// A JSON tree that owns its parts: for building requests and patches, and for the few documents
// without a fixed structure. Objects that arrive by the thousand are read with json/node.h.
class Value {
 public:
  Value() = default;
  Value(std::nullptr_t) {}
  Value(bool b) : held_(b) {}
  Value(int n) : held_(std::int64_t{n}) {}
  Value(long n) : held_(std::int64_t{n}) {}
  Value(long long n) : held_(static_cast<std::int64_t>(n)) {}
  Value(unsigned n) : held_(std::int64_t{n}) {}
  // A number that does not fit into as_int() is kept unchanged; as_int() returns nullptr for it.
  Value(unsigned long n) : held_(integer(n)) {}
  Value(double d) : held_(d) {}
  Value(const char* s) : held_(std::string(s)) {}
  Value(std::string_view s) : held_(std::string(s)) {}
  Value(std::string s) : held_(std::move(s)) {}
  Value(Array a) : held_(std::move(a)) {}
  Value(Object o) : held_(std::move(o)) {}

  bool is_null() const { return std::holds_alternative<std::monostate>(held_); }
  const bool* as_bool() const { return std::get_if<bool>(&held_); }
  const std::int64_t* as_int() const { return std::get_if<std::int64_t>(&held_); }
  // Only for a number above the range of as_int().
  const std::uint64_t* as_large_uint() const { return std::get_if<std::uint64_t>(&held_); }
  const double* as_double() const { return std::get_if<double>(&held_); }
  const std::string* as_string() const { return std::get_if<std::string>(&held_); }
  const Array* as_array() const { return std::get_if<Array>(&held_); }
  const Object* as_object() const { return std::get_if<Object>(&held_); }
  Array* as_array() { return std::get_if<Array>(&held_); }
  Object* as_object() { return std::get_if<Object>(&held_); }

  // Member of an object; nullptr if this is not an object or has no such member.
  const Value* find(std::string_view key) const;

  // Compact text. Invalid UTF-8 in strings is repaired.
  std::string dump() const;

  friend bool operator==(const Value&, const Value&) = default;

 private:
  using Held = std::variant<std::monostate,
                            bool,
                            std::int64_t,
                            std::uint64_t,
                            double,
                            std::string,
                            Array,
                            Object>;
  static Held integer(std::uint64_t n) {
    if (std::in_range<std::int64_t>(n)) return static_cast<std::int64_t>(n);
    return n;
  }

  Held held_;
};

struct Member {
  std::string key;
  Value value;
  friend bool operator==(const Member&, const Member&) = default;
};

template <class Predicate>
std::size_t Object::erase_if(Predicate&& predicate) {
  return std::erase_if(members_, std::forward<Predicate>(predicate));
}

// Parses a whole document into a tree. The error names the position of the first mistake.
base::Result<Value> parse(std::string_view text);

}  // namespace json
