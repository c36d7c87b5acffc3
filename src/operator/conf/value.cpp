// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/value.h"

#include "base/ascii.h"
#include "base/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace slurmop::conf {
namespace {

using base::Error;
using base::Kind;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_key_character(char c) {
  return is_letter(c) || base::is_digit(c) || c == '_' || c == '.';
}

Error invalid(std::string_view text, std::string_view problem) {
  return {Kind::invalid, fmt::format("{} {}", base::quoted(text), problem)};
}

// Whether the text at `at`, which follows a blank, has the form of a key with its equals sign.
bool starts_a_key(std::string_view text, std::size_t at) {
  const std::size_t begin = at;
  while (at < text.size() && is_key_character(text[at])) ++at;
  if (at == begin) return false;
  while (at < text.size() && text[at] == ' ') ++at;
  if (at < text.size() && std::string_view("-*+/").find(text[at]) != std::string_view::npos) ++at;
  return at < text.size() && text[at] == '=';
}

bool has_second_key(std::string_view text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == ' ' && starts_a_key(text, i + 1)) return true;
  }
  return false;
}

}  // namespace

base::Result<Key> Key::parse(std::string_view text) {
  if (text.empty() || !is_letter(text.front()) || !std::ranges::all_of(text, is_key_character)) {
    return invalid(text, "is not a key; a key has letters, digits, '_' and '.' only");
  }
  if (text.size() > 64) return invalid(text, "is not a key: it has more than 64 characters");
  if (base::ascii_lower(text) == "include") {
    return invalid(text, "would read another file; write its lines here instead");
  }
  return Key(text);
}

base::Result<Value> Value::parse(std::string_view text) {
  if (text.empty()) return invalid(text, "is empty; leave the key out to get Slurm's default");
  if (text.size() > kLongestValue) {
    return invalid(text, fmt::format("has more than {} characters", kLongestValue));
  }
  for (const char c : text) {
    if (c == '\n' || c == '\r') return invalid(text, "has a line break; a value is one line");
    if (c < 0x20 || c == 0x7F) {
      return invalid(text, "has a control character or a byte that is not ASCII; use plain text");
    }
    if (c == '#') return invalid(text, "has a '#', which would start a comment; remove it");
    if (c == '\\') return invalid(text, "has a backslash, which Slurm would drop; remove it");
    if (c == '"') return invalid(text, "has a double quote, which Slurm cannot read; remove it");
  }
  if (text.front() == ' ' || text.back() == ' ') {
    return invalid(text, "begins or ends with a blank; remove it");
  }
  if (has_second_key(text)) {
    return invalid(text, "contains a second Key=Value; set each key on its own");
  }
  return Value(text);
}

std::string Value::rendered() const {
  return text_.find(' ') == std::string::npos ? text_ : fmt::format("\"{}\"", text_);
}

}  // namespace slurmop::conf
