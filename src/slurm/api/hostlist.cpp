// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/hostlist.h"

#include "base/ascii.h"
#include "base/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>

namespace slurm::inline api {
namespace {

constexpr std::size_t kMaxDigits = 18;   // any such number fits into 64 bits
constexpr std::size_t kMaxBrackets = 8;  // in one name: more than cluster names use

struct Range {
  std::uint64_t first;
  std::uint64_t last;
  std::size_t width;  // numbers are padded with zeros to this length

  std::uint64_t count() const { return last - first + 1; }
};

// A piece of a name: fixed text, then one number out of the ranges (if there are any).
struct Piece {
  std::string_view text;
  std::vector<Range> ranges;
};

bool is_separator(char c) {
  return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_name_character(char c) {
  return c > ' ' && c < 0x7F && c != ',' && c != '[' && c != ']';
}

std::uint64_t number_of(std::string_view digits) {
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

class Expansion {
 public:
  Expansion(std::string_view list, std::size_t limit) : list_(list), rest_(list), limit_(limit) {}

  base::Result<std::vector<std::string>> run() {
    while (true) {
      while (!rest_.empty() && is_separator(rest_.front())) rest_.remove_prefix(1);
      if (rest_.empty()) return std::move(names_);
      TRY(const std::vector<Piece> pieces, take_item());
      TRY_VOID(check_room(pieces));
      append_names(pieces);
    }
  }

 private:
  base::Error malformed(std::string_view why) const {
    return base::Error(
        base::Kind::invalid,
        fmt::format("hostlist {}: {} at byte {}; write it like \"k[001-004,7],gpu1\"",
                    base::quoted(list_),
                    why,
                    list_.size() - rest_.size()));
  }

  base::Result<std::vector<Piece>> take_item() {
    std::vector<Piece> pieces;
    std::size_t brackets = 0;
    while (!rest_.empty() && !is_separator(rest_.front())) {
      Piece& piece = pieces.emplace_back();
      std::size_t length = 0;
      while (length < rest_.size() && is_name_character(rest_[length])) ++length;
      piece.text = rest_.substr(0, length);
      rest_.remove_prefix(length);
      if (rest_.empty() || is_separator(rest_.front())) break;
      if (rest_.front() != '[') return malformed("unexpected character");
      if (++brackets > kMaxBrackets) return malformed("too many brackets in one name");
      rest_.remove_prefix(1);
      TRY(piece.ranges, take_ranges());
    }
    return pieces;
  }

  // The text between the brackets, including the closing bracket.
  base::Result<std::vector<Range>> take_ranges() {
    std::vector<Range> ranges;
    std::uint64_t count = 0;
    while (true) {
      TRY(const Range range, take_range());
      count += range.count();  // at most limit_ + 10^18
      if (count > limit_) return too_many();
      ranges.push_back(range);
      if (rest_.empty()) return malformed("missing \"]\"");
      const char next = rest_.front();
      if (next != ',' && next != ']') return malformed("unexpected character in brackets");
      rest_.remove_prefix(1);
      if (next == ']') return ranges;
    }
  }

  base::Result<Range> take_range() {
    const std::string_view first = base::take_digits(rest_);
    if (first.empty()) return malformed("missing number");
    std::string_view last = first;
    if (rest_.starts_with('-')) {
      rest_.remove_prefix(1);
      last = base::take_digits(rest_);
      if (last.empty()) return malformed("missing end of the range");
    }
    if (first.size() > kMaxDigits || last.size() > kMaxDigits) {
      return malformed("number with more than 18 digits");
    }
    // 1-010 is ambiguous: it could begin with 1 or with 001.
    if (last.front() == '0' && last.size() != first.size()) {
      return malformed("range whose ends have different leading zeros");
    }
    const Range range = {number_of(first), number_of(last), first.size()};
    if (range.first > range.last) return malformed("range that ends before it begins");
    return range;
  }

  base::Error too_many() const {
    return base::Error(
        base::Kind::invalid,
        fmt::format("hostlist {} has more than {} names", base::quoted(list_), limit_));
  }

  base::Result<void> check_room(const std::vector<Piece>& pieces) const {
    const std::size_t room = limit_ - names_.size();
    std::uint64_t count = 1;
    std::size_t longest = 0;
    for (const Piece& piece : pieces) {
      longest += piece.text.size();
      if (piece.ranges.empty()) continue;
      std::uint64_t choices = 0;
      std::size_t digits = 0;
      for (const Range& range : piece.ranges) {
        choices += range.count();
        digits = std::max({digits, range.width, fmt::formatted_size("{}", range.last)});
      }
      count *= choices;  // both at most limit_
      longest += digits;
      if (count > room) return too_many();
    }
    if (count > room) return too_many();
    if (longest > kMaxHostLength) {
      return malformed(fmt::format("name of more than {} bytes", kMaxHostLength));
    }
    return {};
  }

  // The last bracket counts fastest, as in Slurm.
  void append_names(const std::vector<Piece>& pieces) {
    std::vector<std::string> made(1);
    for (const Piece& piece : pieces) {
      for (std::string& name : made) name.append(piece.text);
      if (piece.ranges.empty()) continue;
      std::vector<std::string> longer;
      for (const std::string& name : made) {
        for (const Range& range : piece.ranges) {
          for (std::uint64_t number = range.first; number <= range.last; ++number) {
            longer.push_back(fmt::format("{}{:0{}}", name, number, range.width));
          }
        }
      }
      made = std::move(longer);
    }
    std::ranges::move(made, std::back_inserter(names_));
  }

  std::string_view list_;
  std::string_view rest_;
  std::size_t limit_;
  std::vector<std::string> names_;
};

}  // namespace

bool is_host_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxHostLength &&
         std::ranges::all_of(name, is_name_character);
}

base::Result<std::vector<std::string>> expand_hostlist(std::string_view list, std::size_t limit) {
  return Expansion(list, std::min<std::size_t>(limit, 1U << 31)).run();
}

}  // namespace slurm::inline api
