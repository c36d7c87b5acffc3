// SPDX-License-Identifier: Apache-2.0
#include "json/patch.h"

#include "base/quote.h"
#include "json/array_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

namespace json {

void apply_merge_patch(Value& document, const Value& patch) {
  const Object* changes = patch.as_object();
  if (changes == nullptr) {
    document = patch;
    return;
  }
  if (document.as_object() == nullptr) document = Object{};
  Object& object = *document.as_object();
  for (const Member& change : *changes) {
    if (change.value.is_null()) {
      object.erase(change.key);
    } else if (Value* existing = object.find(change.key)) {
      apply_merge_patch(*existing, change.value);
    } else {
      Value fresh;
      apply_merge_patch(fresh, change.value);  // nulls inside a new object have no meaning
      object.set(change.key, std::move(fresh));
    }
  }
}

namespace {

using base::Error;
using base::Kind;
using base::Result;

Error malformed(const std::string& why) {
  return Error(Kind::invalid, "not a JSON patch: " + why);
}
Error no_such_path(std::string_view place) {
  return Error(Kind::not_found, fmt::format("{} does not exist", base::quoted(place)));
}

// Compares as RFC 6902: numbers by value, objects without regard to order.
bool is_same(const Value& a, const Value& b);

bool is_same_number(const Value& a, const Value& b) {
  const auto number = [](const Value& value) -> std::optional<double> {
    if (const auto* d = value.as_double()) return *d;
    if (const auto* n = value.as_int()) return static_cast<double>(*n);
    return std::nullopt;
  };
  const auto left = number(a);
  return left && left == number(b);
}

bool is_same(const Value& a, const Value& b) {
  if (a.as_array() != nullptr && b.as_array() != nullptr) {
    return std::ranges::equal(*a.as_array(), *b.as_array(), is_same);
  }
  if (a.as_object() != nullptr && b.as_object() != nullptr) {
    const Object& left = *a.as_object();
    return left.size() == b.as_object()->size() &&
           std::ranges::all_of(left, [&](const Member& member) {
             const Value* other = b.find(member.key);
             return other != nullptr && is_same(member.value, *other);
           });
  }
  const bool one_is_fractional = (a.as_double() != nullptr) != (b.as_double() != nullptr);
  return one_is_fractional ? is_same_number(a, b) : a == b;
}

class Patcher {
 public:
  Patcher(Value& document, Absent absent) : document_(document), absent_(absent) {}

  Result<void> apply(const Value& operation) {
    TRY(const std::string op, text(operation, "op"));
    TRY(const std::string path, text(operation, "path"));
    TRY(const Pointer place, parse_pointer(path));
    path_ = path;
    if (op == "remove") return dropped(take(place));
    if (op == "move") return move(operation, place);
    if (op == "copy") return copy(operation, place);
    const Value* value = operation.find("value");
    if (op != "add" && op != "replace" && op != "test") {
      return malformed(fmt::format("{} is not an operation", base::quoted(op)));
    }
    if (value == nullptr) return malformed(op + " without a value");
    if (op == "add") return add(place, *value);
    if (op == "replace") return replace(place, *value);
    return test(place, *value);
  }

 private:
  static Result<std::string> text(const Value& operation, std::string_view key) {
    const Value* member = operation.find(key);
    if (member == nullptr || member->as_string() == nullptr) {
      return malformed(fmt::format("an operation without {}", key));
    }
    return *member->as_string();
  }

  static Result<void> dropped(Result<Value> taken) {
    if (!taken.ok()) return std::move(taken).error();
    return {};
  }

  // The value that contains the last token of a path.
  Value* holder(const Pointer& place) {
    return find(document_, Pointer(place.begin(), place.end() - 1));
  }

  Result<void> add(const Pointer& place, Value value) {
    if (place.empty()) {
      document_ = std::move(value);
      return {};
    }
    Value* parent = holder(place);
    if (parent == nullptr) return no_such_path(path_);
    if (Object* object = parent->as_object()) {
      object->set(place.back(), std::move(value));
      return {};
    }
    Array* array = parent->as_array();
    if (array == nullptr) return no_such_path(path_);
    const auto index = place.back() == "-" ? array->size() : array_index(place.back());
    if (!index || *index > array->size()) return no_such_path(path_);
    array->insert(array->begin() + static_cast<std::ptrdiff_t>(*index), std::move(value));
    return {};
  }

  Result<Value> take(const Pointer& place) {
    Value* there = find(document_, place);
    if (there == nullptr) return no_such_path(path_);
    Value taken = std::move(*there);
    if (place.empty()) {
      document_ = nullptr;
    } else if (Object* object = holder(place)->as_object()) {
      object->erase(place.back());
    } else {
      Array& array = *holder(place)->as_array();
      array.erase(array.begin() + static_cast<std::ptrdiff_t>(*array_index(place.back())));
    }
    return taken;
  }

  Result<void> replace(const Pointer& place, const Value& value) {
    Value* there = find(document_, place);
    if (there == nullptr) return no_such_path(path_);
    *there = value;
    return {};
  }

  Result<void> move(const Value& operation, const Pointer& place) {
    TRY(const std::string from_text, text(operation, "from"));
    TRY(const Pointer from, parse_pointer(from_text));
    if (from.size() < place.size() &&
        std::ranges::equal(from, std::span(place).first(from.size()))) {
      return malformed("a value cannot be moved into itself");
    }
    TRY(Value value, take(from));
    return add(place, std::move(value));
  }

  Result<void> copy(const Value& operation, const Pointer& place) {
    TRY(const std::string from_text, text(operation, "from"));
    TRY(const Pointer from, parse_pointer(from_text));
    const Value* there = find(document_, from);
    if (there == nullptr) return no_such_path(from_text);
    return add(place, *there);
  }

  Result<void> test(const Pointer& place, const Value& value) {
    const Value* there = find(document_, place);
    if (there == nullptr && absent_ == Absent::is_null && value.is_null()) return {};
    if (there != nullptr && is_same(*there, value)) return {};
    return Error(Kind::conflict,
                 fmt::format("{} is {}, not {}",
                             base::quoted(path_),
                             there == nullptr ? "absent" : base::quoted(there->dump()),
                             base::quoted(value.dump())));
  }

  Value& document_;
  Absent absent_;
  std::string path_;
};

Object operation(std::string_view op, std::string place) {
  return {{"op", op}, {"path", std::move(place)}};
}

}  // namespace

base::Result<Value> json_patched(Value document, const Value& patch, Absent absent) {
  const Array* operations = patch.as_array();
  if (operations == nullptr) return malformed("it is not an array");
  Patcher patcher(document, absent);
  for (const Value& one : *operations) TRY_VOID(patcher.apply(one));
  return document;
}

JsonPatch& JsonPatch::test(std::string place, Value value) {
  operations_.emplace_back(operation("test", std::move(place)).set("value", std::move(value)));
  return *this;
}
JsonPatch& JsonPatch::add(std::string place, Value value) {
  operations_.emplace_back(operation("add", std::move(place)).set("value", std::move(value)));
  return *this;
}
JsonPatch& JsonPatch::replace(std::string place, Value value) {
  operations_.emplace_back(operation("replace", std::move(place)).set("value", std::move(value)));
  return *this;
}
JsonPatch& JsonPatch::remove(std::string place) {
  operations_.emplace_back(operation("remove", std::move(place)));
  return *this;
}

}  // namespace json
