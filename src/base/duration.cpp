// SPDX-License-Identifier: Apache-2.0
#include "base/duration.h"

#include "base/ascii.h"
#include "base/quote.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>

namespace base {
namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr std::size_t kMaxText = 64;
constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();

struct Unit {
  std::string_view name;
  std::uint64_t nanoseconds;
};
constexpr Unit kUnits[] = {
    {"ns", 1},
    {"us", 1'000},
    {"\xC2\xB5s", 1'000},  // micro sign
    {"\xCE\xBCs", 1'000},  // Greek mu
    {"ms", 1'000'000},
    {"s", 1'000'000'000},
    {"m", 60'000'000'000},
    {"h", 3'600'000'000'000},
};

std::optional<std::uint64_t> take_unit(std::string_view& rest) {
  std::size_t length = 0;
  while (length < rest.size() && !is_digit(rest[length]) && rest[length] != '.') ++length;
  for (const Unit& unit : kUnits) {
    if (unit.name != rest.substr(0, length)) continue;
    rest.remove_prefix(length);
    return unit.nanoseconds;
  }
  return std::nullopt;
}

// Parses one element such as "1.5h" into nanoseconds, truncated. Empty if malformed or too long.
std::optional<std::uint64_t> take_term(std::string_view& rest) {
  const std::string_view whole = take_digits(rest);
  std::string_view fraction;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  const std::optional<std::uint64_t> unit = take_unit(rest);
  if (!unit) return std::nullopt;

  Wide total = 0;
  for (const char c : whole) {
    total = total * 10 + static_cast<unsigned>(c - '0');
    if (total > kMost) return std::nullopt;
  }
  total *= *unit;
  Wide scale = 1;
  Wide digits = 0;
  for (const char c : fraction.substr(0, 18)) {
    digits = digits * 10 + static_cast<unsigned>(c - '0');
    scale *= 10;
  }
  total += digits * *unit / scale;
  if (total > kMost) return std::nullopt;
  return static_cast<std::uint64_t>(total);
}

std::optional<Duration> parse(std::string_view rest) {
  if (rest.size() > kMaxText) return std::nullopt;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest == "0") return Duration::zero();
  if (rest.empty()) return std::nullopt;

  std::uint64_t total = 0;
  while (!rest.empty()) {
    const std::optional<std::uint64_t> term = take_term(rest);
    if (!term || *term > kMost - total) return std::nullopt;
    total += *term;
  }
  const auto count = static_cast<std::int64_t>(total);
  return Duration(negative ? -count : count);
}

// "1.5" for 1500 thousandths.
std::string decimal(std::uint64_t count, std::uint64_t per_unit) {
  std::string text = fmt::format("{}", count / per_unit);
  std::uint64_t rest = count % per_unit;
  if (rest == 0) return text;
  text.push_back('.');
  while (rest != 0) {
    per_unit /= 10;
    text.push_back(static_cast<char>('0' + rest / per_unit));
    rest %= per_unit;
  }
  return text;
}

}  // namespace

Result<Duration> parse_duration(std::string_view text) {
  if (const std::optional<Duration> duration = parse(text)) return *duration;
  return Error(
      Kind::invalid,
      fmt::format("{} is not a duration up to 292 years; write numbers with the units h, m, "
                  "s, ms, us or ns, like \"1h30m\" or \"1.5s\"",
                  quoted(text)));
}

std::string format_duration(Duration duration) {
  if (duration == Duration::zero()) return "0s";
  const bool negative = duration < Duration::zero();
  auto count = static_cast<std::uint64_t>(duration.count());
  if (negative) count = ~count + 1;  // also correct for the smallest int64

  const std::string sign = negative ? "-" : "";
  if (count < 1'000) return fmt::format("{}{}ns", sign, count);
  if (count < 1'000'000) return fmt::format("{}{}\xC2\xB5s", sign, decimal(count, 1'000));
  if (count < 1'000'000'000) return fmt::format("{}{}ms", sign, decimal(count, 1'000'000));
  constexpr std::uint64_t kMinute = 60'000'000'000;
  const std::string seconds = decimal(count % kMinute, 1'000'000'000);
  const std::uint64_t minutes = count / kMinute;
  if (minutes == 0) return fmt::format("{}{}s", sign, seconds);
  if (minutes < 60) return fmt::format("{}{}m{}s", sign, minutes, seconds);
  return fmt::format("{}{}h{}m{}s", sign, minutes / 60, minutes % 60, seconds);
}

}  // namespace base
