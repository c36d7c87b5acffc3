// SPDX-License-Identifier: Apache-2.0
#include "json/node.h"

#include "base/quote.h"
#include "base/utf8.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <bit>
#include <utility>

namespace json {

using simdjson::dom::element;

struct NodeAccess {
  static_assert(sizeof(element) == sizeof(Node::place_));
  static_assert(std::is_trivially_copyable_v<element>);

  static Node from(element e) {
    Node node;
    std::memcpy(node.place_, &e, sizeof e);
    return node;
  }
  static element of(const Node& node) {
    element e;
    std::memcpy(&e, node.place_, sizeof e);
    return e;
  }
};

std::string_view name(Type type) {
  switch (type) {
    case Type::null: return "null";
    case Type::boolean: return "a boolean";
    case Type::integer: return "an integer";
    case Type::number: return "a number";
    case Type::string: return "a string";
    case Type::array: return "an array";
    case Type::object: return "an object";
  }
  return "nothing";
}

Type Node::type() const {
  switch (NodeAccess::of(*this).type()) {
    case simdjson::dom::element_type::NULL_VALUE: return Type::null;
    case simdjson::dom::element_type::BOOL: return Type::boolean;
    case simdjson::dom::element_type::INT64:
    case simdjson::dom::element_type::UINT64: return Type::integer;
    case simdjson::dom::element_type::DOUBLE: return Type::number;
    case simdjson::dom::element_type::STRING: return Type::string;
    case simdjson::dom::element_type::ARRAY: return Type::array;
    case simdjson::dom::element_type::OBJECT: return Type::object;
  }
  return Type::null;
}

namespace {
template <class T>
std::optional<T> read(const Node& node) {
  T value;
  if (NodeAccess::of(node).get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}
}  // namespace

std::optional<bool> Node::as_bool() const {
  return read<bool>(*this);
}
std::optional<std::int64_t> Node::as_int() const {
  return read<std::int64_t>(*this);
}
std::optional<double> Node::as_double() const {
  return read<double>(*this);
}
std::optional<std::string_view> Node::as_string() const {
  return read<std::string_view>(*this);
}

std::optional<Node> Node::find(std::string_view key) const {
  simdjson::dom::object object;
  element found;
  if (NodeAccess::of(*this).get(object) != simdjson::SUCCESS) return std::nullopt;
  if (object.at_key(key).get(found) != simdjson::SUCCESS || found.is_null()) return std::nullopt;
  return NodeAccess::from(found);
}

void Node::visit_members(MemberVisitor visit, void* context) const {
  simdjson::dom::object object;
  if (NodeAccess::of(*this).get(object) != simdjson::SUCCESS) return;
  for (const auto field : object) {
    if (!visit(context, field.key, NodeAccess::from(field.value))) return;
  }
}

void Node::visit_elements(ElementVisitor visit, void* context) const {
  simdjson::dom::array array;
  if (NodeAccess::of(*this).get(array) != simdjson::SUCCESS) return;
  for (const auto item : array) {
    if (!visit(context, NodeAccess::from(item))) return;
  }
}

Value Node::to_value() const {
  switch (type()) {
    case Type::null: return {};
    case Type::boolean: return *as_bool();
    case Type::integer:
      if (const auto n = as_int()) return *n;
      return *as_double();  // beyond int64
    case Type::number: return *as_double();
    case Type::string: return *as_string();
    case Type::array: {
      Array array;
      each_element([&](Node element_node) {
        array.push_back(element_node.to_value());
        return true;
      });
      return array;
    }
    case Type::object: {
      Object object;
      each_member([&](std::string_view key, Node member) {
        object.set(key, member.to_value());
        return true;
      });
      return object;
    }
  }
  return {};
}

namespace {
constexpr std::size_t kKeepAtMost = 4UL << 20U;
}

struct Parser::Impl {
  simdjson::dom::parser parser;

  static std::unique_ptr<Impl> take();
  static void recycle(std::unique_ptr<Impl> one) noexcept;
};

// Most parsers read one answer and are destroyed. The next parser of the same thread reuses their
// memory. Not under AddressSanitizer, which must detect a node that outlives its parser.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SB_NEW_PARSER_MEMORY
#endif
#endif

#ifdef SB_NEW_PARSER_MEMORY

std::unique_ptr<Parser::Impl> Parser::Impl::take() {
  return std::make_unique<Impl>();
}
void Parser::Impl::recycle(std::unique_ptr<Impl>) noexcept {}

#else

namespace {

constexpr std::size_t kMostSpare = 4;
constexpr std::size_t kLargestSpare = 256UL << 10U;  // bytes of text

template <class Impl>
struct Spare {
  std::array<std::unique_ptr<Impl>, kMostSpare> all;
  std::size_t count = 0;
  inline static thread_local bool ended = false;  // trivial, so readable after the destructor

  ~Spare() { ended = true; }
  static Spare* of_this_thread() {
    thread_local Spare spare;
    return ended ? nullptr : &spare;
  }
};

}  // namespace

std::unique_ptr<Parser::Impl> Parser::Impl::take() {
  Spare<Impl>* spare = Spare<Impl>::ended ? nullptr : Spare<Impl>::of_this_thread();
  if (spare == nullptr || spare->count == 0) return std::make_unique<Impl>();
  return std::move(spare->all[--spare->count]);
}

void Parser::Impl::recycle(std::unique_ptr<Impl> one) noexcept {
  if (one == nullptr || one->parser.capacity() > kLargestSpare || Spare<Impl>::ended) return;
  Spare<Impl>* spare = Spare<Impl>::of_this_thread();
  if (spare != nullptr && spare->count < kMostSpare) spare->all[spare->count++] = std::move(one);
}

#endif

Parser::Parser() : impl_(Impl::take()) {}
Parser::~Parser() {
  Impl::recycle(std::move(impl_));
}
Parser::Parser(Parser&&) noexcept = default;
Parser& Parser::operator=(Parser&&) noexcept = default;

base::Result<Node> Parser::parse(std::string_view text) {
  if (impl_->parser.capacity() > kKeepAtMost && text.size() < kKeepAtMost / 4) {
    impl_ = std::make_unique<Impl>();
  }
  auto parsed = impl_->parser.parse(text.data(), text.size());
  if (parsed.error() == simdjson::UTF8_ERROR) {
    const std::string repaired = base::repair_utf8(std::string(text));
    parsed = impl_->parser.parse(repaired.data(), repaired.size());
  }
  element root;
  if (const auto error = parsed.get(root); error != simdjson::SUCCESS) {
    return base::Error(
        base::Kind::protocol,
        fmt::format("not JSON ({}): {}", simdjson::error_message(error), base::quoted(text)));
  }
  return NodeAccess::from(root);
}

}  // namespace json
