// SPDX-License-Identifier: Apache-2.0
#include "base/quote.h"

#include "base/utf8.h"

#include <fmt/format.h>

#include <iterator>

namespace base {
namespace {

bool is_plain(char c) {
  return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

bool must_be_escaped(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F)   // control characters
         || c == U'\u2028' || c == U'\u2029'    // line and paragraph separator
         || (c >= U'\u202A' && c <= U'\u202E')  // overrides of the reading direction
         || (c >= U'\u2066' && c <= U'\u2069');
}

void append_character(std::string& out, std::string_view bytes, const Utf8Step& step) {
  switch (step.code_point) {
    case U'"': out.append("\\\""); return;
    case U'\\': out.append("\\\\"); return;
    case U'\n': out.append("\\n"); return;
    case U'\r': out.append("\\r"); return;
    case U'\t': out.append("\\t"); return;
    default: break;
  }
  if (!step.valid) {
    out.append("\xEF\xBF\xBD");
  } else if (must_be_escaped(step.code_point)) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(step.code_point));
  } else {
    out.append(bytes);
  }
}

}  // namespace

void append_escaped(std::string& out, std::string_view text) {
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && is_plain(text[plain])) ++plain;
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) return;
    const Utf8Step step = decode_utf8(text);
    append_character(out, text.substr(0, step.length), step);
    text.remove_prefix(step.length);
  }
}

std::string_view cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  // A character has at most three bytes after its first.
  std::size_t end = most;
  while (end > 0 && most - end < 3 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) {
    --end;
  }
  return text.substr(0, end);
}

std::string quoted(std::string_view text, std::size_t most) {
  const std::string_view head = cut(text, most);
  std::string out = "\"";
  append_escaped(out, head);
  out.push_back('"');
  if (head.size() < text.size()) {
    fmt::format_to(std::back_inserter(out), "... ({} bytes)", text.size());
  }
  return out;
}

}  // namespace base
