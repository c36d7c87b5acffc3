// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace base {
namespace {

// Properties of a lead byte: the length of the character, and the second bytes that make it neither
// overlong, a surrogate nor above U+10FFFF.
struct Lead {
  std::size_t length;
  unsigned char second_min;
  unsigned char second_max;
};

Lead lead_of(unsigned char byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

// Slurm's answers are megabytes of ASCII: check eight bytes at a time.
std::size_t ascii_prefix(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  std::size_t at = 0;
  for (; text.size() - at >= sizeof(std::uint64_t); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & kHighBits) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

std::size_t valid_prefix(std::string_view text) {
  std::size_t at = 0;
  while (true) {
    at += ascii_prefix(text.substr(at));
    if (at == text.size()) return at;
    const Utf8Step step = decode_utf8(text.substr(at));
    if (!step.valid) return at;
    at += step.length;
  }
}

}  // namespace

Utf8Step decode_utf8(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return {first, 1, true};
  const Lead lead = lead_of(first);
  if (lead.length == 0) return {U'\uFFFD', 1, false};

  char32_t code_point = first & (0x7FU >> lead.length);
  unsigned char min = lead.second_min;
  unsigned char max = lead.second_max;
  for (std::size_t at = 1; at < lead.length; ++at) {
    if (at == text.size()) return {U'\uFFFD', at, false};
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < min || byte > max) return {U'\uFFFD', at, false};
    code_point = code_point << 6 | (byte & 0x3FU);
    min = 0x80;
    max = 0xBF;
  }
  return {code_point, lead.length, true};
}

bool is_utf8(std::string_view text) {
  return valid_prefix(text) == text.size();
}

std::string repair_utf8(std::string text) {
  std::string_view rest = text;
  std::size_t good = valid_prefix(rest);
  if (good == rest.size()) return text;

  std::string repaired;
  repaired.reserve(text.size() + 16);
  while (true) {
    repaired.append(rest.substr(0, good));
    rest.remove_prefix(good);
    if (rest.empty()) return repaired;
    repaired.append("\xEF\xBF\xBD");
    rest.remove_prefix(decode_utf8(rest).length);
    good = valid_prefix(rest);
  }
}

std::string_view utf8_front(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  // A character has at most three bytes after its first; more continuation bytes are not a
  // character.
  constexpr std::size_t kLongest = 3;
  while (end > 0 && most - end < kLongest &&
         (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;
  return text.substr(0, end);
}

}  // namespace base
