// SPDX-License-Identifier: Apache-2.0
#include "base/base64.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace base {
namespace {

constexpr std::string_view kStandard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::uint8_t kNone = 0xFF;

constexpr std::array<std::uint8_t, 256> reversed(std::string_view alphabet) {
  std::array<std::uint8_t, 256> table{};
  table.fill(kNone);
  for (std::uint8_t value = 0; value < 64; ++value) {
    table[static_cast<unsigned char>(alphabet[value])] = value;
  }
  return table;
}
constexpr auto kFromStandard = reversed(kStandard);
constexpr auto kFromUrl = reversed(kUrl);

bool is_url(Base64 form) {
  return form == Base64::url || form == Base64::url_unpadded;
}

bool is_padded(Base64 form) {
  return form == Base64::standard || form == Base64::url;
}

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}

// Returns the text without its padding. The padding must be exactly as the form requires.
Result<std::string_view> without_padding(std::string_view text, Base64 form) {
  std::string_view digits = text;
  if (is_padded(form)) {
    if (text.size() % 4 != 0) {
      return Error(
          Kind::invalid,
          fmt::format("base64 of {} characters is incomplete or lacks its \"=\" padding; its "
                      "length must be a multiple of 4",
                      text.size()));
    }
    if (digits.ends_with('=')) digits.remove_suffix(1);
    if (digits.ends_with('=')) digits.remove_suffix(1);
  }
  if (digits.size() % 4 == 1) {
    return Error(
        Kind::invalid,
        fmt::format("base64 of {} characters is incomplete: the last byte needs two characters",
                    digits.size()));
  }
  return digits;
}

Error bad_digit(std::string_view digits, std::size_t at, Base64 form) {
  return Error(Kind::invalid,
               fmt::format("base64: byte {} (0x{:02x}) is not in the {} alphabet",
                           at,
                           byte_at(digits, at),
                           is_url(form) ? "URL" : "standard"));
}

}  // namespace

std::string encode_base64(std::string_view bytes, Base64 form) {
  const std::string_view alphabet = is_url(form) ? kUrl : kStandard;
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::uint32_t group =
        byte_at(bytes, at) << 16 | byte_at(bytes, at + 1) << 8 | byte_at(bytes, at + 2);
    const std::size_t digits = bytes.size() - at >= 3 ? 4 : bytes.size() - at + 1;
    for (std::size_t digit = 0; digit < digits; ++digit) {
      text.push_back(alphabet[group >> (18 - 6 * digit) & 63]);
    }
    if (is_padded(form)) text.append(4 - digits, '=');
  }
  return text;
}

Result<std::string> decode_base64(std::string_view text, Base64 form) {
  TRY(const std::string_view digits, without_padding(text, form));
  const auto& value_of = is_url(form) ? kFromUrl : kFromStandard;
  std::string bytes;
  bytes.reserve(digits.size() * 3 / 4);
  std::uint32_t bits = 0;
  int count = 0;
  for (std::size_t at = 0; at < digits.size(); ++at) {
    const std::uint8_t value = value_of[static_cast<unsigned char>(digits[at])];
    if (value == kNone) return bad_digit(digits, at, form);
    bits = (bits << 6 | value) & 0xFFFFU;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(bits >> count & 0xFFU));
  }
  if ((bits & ((1U << count) - 1)) != 0) {
    return Error(Kind::invalid, "base64: the last character has unused bits that are not zero");
  }
  return bytes;
}

}  // namespace base
