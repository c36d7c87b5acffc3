// SPDX-License-Identifier: Apache-2.0
#include "base/rfc3339.h"

#include "base/ascii.h"
#include "base/quote.h"

#include <fmt/format.h>

#include <optional>

namespace base {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using std::chrono::sys_days;

constexpr std::size_t kMaxText = 64;

// Reads the elements of the grammar from the front of a text. After the first mismatch every read
// fails.
class Reader {
 public:
  explicit Reader(std::string_view rest) : rest_(rest) {}

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

  void expect(char c) {
    if (!accept(c)) ok_ = false;
  }

  bool accept(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Exactly two or four digits, within [least, most].
  int number(std::size_t digits, int least, int most) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) value = value * 10 + digit();
    if (value < least || value > most) ok_ = false;
    return value;
  }

  nanoseconds fraction() {
    if (!at_digit()) ok_ = false;
    nanoseconds total{0};
    for (nanoseconds place = std::chrono::milliseconds(100); at_digit(); place /= 10) {
      total += place * digit();
    }
    return total;
  }

 private:
  bool at_digit() const { return !rest_.empty() && is_digit(rest_.front()); }

  int digit() {
    if (!at_digit()) {
      ok_ = false;
      return 0;
    }
    const int value = rest_.front() - '0';
    rest_.remove_prefix(1);
    return value;
  }

  std::string_view rest_;
  bool ok_ = true;
};

seconds read_offset(Reader& reader) {
  if (reader.accept('Z')) return seconds(0);
  const bool west = reader.accept('-');
  if (!west) reader.expect('+');
  const hours h(reader.number(2, 0, 23));
  reader.expect(':');
  const minutes m(reader.number(2, 0, 59));
  return west ? -(h + m) : h + m;
}

std::optional<WallTime> parse(std::string_view text) {
  if (text.size() > kMaxText) return std::nullopt;
  Reader reader(text);
  const std::chrono::year year(reader.number(4, 1678, 2261));
  reader.expect('-');
  const std::chrono::month month(static_cast<unsigned>(reader.number(2, 1, 12)));
  reader.expect('-');
  const std::chrono::day day(static_cast<unsigned>(reader.number(2, 1, 31)));
  reader.expect('T');
  const hours hour(reader.number(2, 0, 23));
  reader.expect(':');
  const minutes minute(reader.number(2, 0, 59));
  reader.expect(':');
  const seconds second(reader.number(2, 0, 59));
  const nanoseconds fraction = reader.accept('.') ? reader.fraction() : nanoseconds(0);
  const seconds offset = read_offset(reader);
  const std::chrono::year_month_day date(year, month, day);
  if (!reader.ok() || !reader.at_end() || !date.ok()) return std::nullopt;
  return sys_days(date) +
         std::chrono::duration_cast<WallTime::duration>(hour + minute + second - offset + fraction);
}

template <class Unit>
std::string format_date_and_time(std::chrono::sys_time<Unit> when) {
  const auto midnight = std::chrono::floor<days>(when);
  const std::chrono::year_month_day date(midnight);
  const std::chrono::hh_mm_ss time(when - midnight);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
                     static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()),
                     time.hours().count(),
                     time.minutes().count(),
                     time.seconds().count());
}

}  // namespace

Result<WallTime> parse_rfc3339(std::string_view text) {
  if (const std::optional<WallTime> when = parse(text)) return *when;
  return Error(Kind::invalid,
               fmt::format("{} is not a time from 1678 to 2261; write it like "
                           "\"2026-11-15T19:05:02Z\" or \"2026-11-15T20:05:02.5+01:00\"",
                           quoted(text)));
}

std::string format_rfc3339(WallTime when) {
  return format_date_and_time(std::chrono::floor<seconds>(when)) + "Z";
}

std::string format_rfc3339_micro(WallTime when) {
  const auto second = std::chrono::floor<seconds>(when);
  const auto micros = std::chrono::floor<std::chrono::microseconds>(when - second);
  return fmt::format("{}.{:06}Z", format_date_and_time(second), micros.count());
}

}  // namespace base
