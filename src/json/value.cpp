// SPDX-License-Identifier: Apache-2.0
#include "json/value.h"

#include "base/quote.h"
#include "json/node.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace json {

Object::Object() = default;
Object::Object(std::initializer_list<Member> members) {
  members_.reserve(members.size());
  for (const Member& member : members) set(member.key, member.value);
}
Object::Object(const Object&) = default;
Object::Object(Object&&) noexcept = default;
Object& Object::operator=(const Object&) = default;
Object& Object::operator=(Object&&) noexcept = default;
Object::~Object() = default;

Object& Object::set(std::string_view key, Value value) {
  if (Value* existing = find(key)) {
    *existing = std::move(value);
  } else {
    members_.emplace_back(std::string(key), std::move(value));
  }
  return *this;
}

bool Object::erase(std::string_view key) {
  return std::erase_if(members_, [&](const Member& member) { return member.key == key; }) > 0;
}

const Value* Object::find(std::string_view key) const {
  const auto found = std::ranges::find(members_, key, &Member::key);
  return found == members_.end() ? nullptr : &found->value;
}

Value* Object::find(std::string_view key) {
  return const_cast<Value*>(std::as_const(*this).find(key));
}

std::size_t Object::size() const {
  return members_.size();
}
const Member* Object::begin() const {
  return members_.data();
}
const Member* Object::end() const {
  return members_.data() + members_.size();
}

Member* Object::begin() {
  return members_.data();
}
Member* Object::end() {
  return members_.data() + members_.size();
}

bool operator==(const Object& a, const Object& b) {
  if (a.size() != b.size()) return false;
  return std::ranges::all_of(a, [&](const Member& member) {
    const Value* other = b.find(member.key);
    return other != nullptr && *other == member.value;
  });
}

const Value* Value::find(std::string_view key) const {
  const Object* object = as_object();
  return object == nullptr ? nullptr : object->find(key);
}

namespace {

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  base::append_escaped(out, text);
  out += '"';
}

struct Writer {
  std::string& out;

  void operator()(std::monostate) const { out += "null"; }
  void operator()(bool b) const { out += b ? "true" : "false"; }
  void operator()(std::int64_t n) const { out += fmt::format_int(n).c_str(); }
  void operator()(std::uint64_t n) const { out += fmt::format_int(n).c_str(); }
  void operator()(double d) const {
    // JSON has no infinity and no NaN.
    if (!std::isfinite(d)) {
      out += "null";
      return;
    }
    const std::size_t begin = out.size();
    fmt::format_to(std::back_inserter(out), "{}", d);
    // A number that is not an integer stays one when it is parsed again: 2.0, -0.0.
    if (out.find_first_of(".e", begin) == std::string::npos) out += ".0";
  }
  void operator()(const std::string& s) const { append_quoted(out, s); }
  void operator()(const Array& array) const {
    out += '[';
    for (bool first = true; const Value& element : array) {
      if (!std::exchange(first, false)) out += ',';
      write(element);
    }
    out += ']';
  }
  void operator()(const Object& object) const {
    out += '{';
    for (bool first = true; const Member& member : object) {
      if (!std::exchange(first, false)) out += ',';
      append_quoted(out, member.key);
      out += ':';
      write(member.value);
    }
    out += '}';
  }

  void write(const Value& value) const {
    if (const auto* b = value.as_bool()) return (*this)(*b);
    if (const auto* n = value.as_int()) return (*this)(*n);
    if (const auto* n = value.as_large_uint()) return (*this)(*n);
    if (const auto* d = value.as_double()) return (*this)(*d);
    if (const auto* s = value.as_string()) return (*this)(*s);
    if (const auto* a = value.as_array()) return (*this)(*a);
    if (const auto* o = value.as_object()) return (*this)(*o);
    (*this)(std::monostate{});
  }
};

}  // namespace

std::string Value::dump() const {
  std::string text;
  Writer{text}.write(*this);
  return text;
}

base::Result<Value> parse(std::string_view text) {
  Parser parser;
  TRY(const Node root, parser.parse(text));
  return root.to_value();
}

}  // namespace json
