// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/tokens.h"

#include "base/ascii.h"
#include "base/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slurmop::conf {
namespace {

using base::Error;
using base::Kind;
using base::quoted;
using base::Result;

constexpr std::string_view kBlanks = " \t";

void skip_blanks(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
}

std::string_view take_until(std::string_view& rest, std::string_view ends) {
  const std::string_view taken = rest.substr(0, rest.find_first_of(ends));
  rest.remove_prefix(taken.size());
  return taken;
}

Error invalid(std::string message) {
  return {Kind::invalid, std::move(message)};
}

Error not_a_pair(std::string_view rest) {
  return invalid(fmt::format("{} is not Key=Value", quoted(rest)));
}

Result<std::string_view> take_value(std::string_view& rest) {
  if (!rest.starts_with('"')) return take_until(rest, kBlanks);
  const std::string_view all = rest;
  rest.remove_prefix(1);
  const std::string_view value = take_until(rest, "\"");
  if (rest.empty()) return invalid(fmt::format("{} has no closing double quote", quoted(all)));
  rest.remove_prefix(1);
  if (!rest.empty() && kBlanks.find(rest.front()) == std::string_view::npos) {
    return invalid(fmt::format("{} continues after the closing double quote", quoted(all)));
  }
  return value;
}

Result<Pair> take_pair(std::string_view& rest) {
  const std::string_view all = rest;
  const std::string_view name = take_until(rest, " \t=");
  skip_blanks(rest);
  if (base::ascii_lower(name) == "include") {
    return invalid("Include would read another file; write its lines here instead");
  }
  // `Key+=5` and `Key +=5`
  const std::string_view operators = "-*+/";
  const bool glued = !name.empty() && operators.contains(name.back()) && rest.starts_with('=');
  const bool apart = rest.size() > 1 && operators.contains(rest[0]) && rest[1] == '=';
  if (glued || apart) {
    return invalid(fmt::format("{} changes a value; write the complete value with =", quoted(all)));
  }
  if (!rest.starts_with('=')) return not_a_pair(all);
  rest.remove_prefix(1);
  skip_blanks(rest);
  TRY(Key key, Key::parse(name));
  TRY(const std::string_view text, take_value(rest));
  auto value = Value::parse(text);
  if (!value.ok()) return std::move(value).error().in(key.text());
  return Pair{std::move(key), std::move(*value)};
}

}  // namespace

Result<std::optional<Line>> read_line(std::string_view text) {
  for (const char c : text) {
    if (c == '\n' || c == '\r') return invalid("it has a line break; write one line");
    if ((c < 0x20 && c != '\t') || c == 0x7F) {
      return invalid("it has a control character or a byte that is not ASCII; use plain text");
    }
  }
  if (text.contains('\\')) {
    return invalid("it has a backslash; write the value on one line and without escapes");
  }
  std::string_view rest = text.substr(0, text.find('#'));
  skip_blanks(rest);
  std::optional<Line> line;
  while (!rest.empty()) {
    TRY(Pair pair, take_pair(rest));
    if (line)
      line->add(std::move(pair));
    else
      line.emplace(std::move(pair));
    skip_blanks(rest);
  }
  return line;
}

}  // namespace slurmop::conf
