// SPDX-License-Identifier: Apache-2.0
#include "json/pointer.h"

#include "base/quote.h"
#include "json/array_index.h"

#include <algorithm>
#include <utility>

namespace json {
namespace {

base::Error malformed(std::string_view text) {
  return base::Error(base::Kind::invalid, base::quoted(text) + " is not a JSON pointer");
}

base::Result<std::string> unescaped(std::string_view token, std::string_view whole) {
  std::string plain;
  plain.reserve(token.size());
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~') {
      plain += token[i];
      continue;
    }
    ++i;
    if (i == token.size() || (token[i] != '0' && token[i] != '1')) return malformed(whole);
    plain += token[i] == '0' ? '~' : '/';
  }
  return plain;
}

}  // namespace

base::Result<Pointer> parse_pointer(std::string_view text) {
  Pointer place;
  std::string_view rest = text;
  while (!rest.empty()) {
    if (rest.front() != '/') return malformed(text);
    rest.remove_prefix(1);
    const std::size_t end = std::min(rest.find('/'), rest.size());
    TRY(std::string token, unescaped(rest.substr(0, end), text));
    place.push_back(std::move(token));
    rest.remove_prefix(end);
  }
  return place;
}

std::string pointer_text(std::initializer_list<std::string_view> way) {
  std::string text;
  for (const std::string_view token : way) {
    text += '/';
    for (const char c : token) {
      if (c == '~') {
        text += "~0";
      } else if (c == '/') {
        text += "~1";
      } else {
        text += c;
      }
    }
  }
  return text;
}

const Value* find(const Value& document, const Pointer& place) {
  const Value* here = &document;
  for (const std::string& token : place) {
    if (const Array* array = here->as_array()) {
      const auto index = array_index(token);
      here = index && *index < array->size() ? &(*array)[*index] : nullptr;
    } else {
      here = here->find(token);
    }
    if (here == nullptr) return nullptr;
  }
  return here;
}

Value* find(Value& document, const Pointer& place) {
  return const_cast<Value*>(find(std::as_const(document), place));
}

}  // namespace json
