// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.h"
#include "base/quote.h"
#include "slurm/api/hostlist.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <tuple>

namespace slurm::inline api {
namespace {

constexpr std::size_t kMaxDigits = 18;

// A name split into the text before its trailing number, and that number as written, if any.
struct Numbered {
  std::string_view prefix;
  std::string_view digits;
  std::uint64_t number = 0;

  auto order() const { return std::tuple(prefix, number, digits.size()); }
};

Numbered take_apart(std::string_view name) {
  std::size_t at = name.size();
  while (at > 0 && name.size() - at < kMaxDigits && base::is_digit(name[at - 1])) --at;
  Numbered numbered = {name.substr(0, at), name.substr(at), 0};
  std::from_chars(name.data() + at, name.data() + name.size(), numbered.number);
  return numbered;
}

base::Result<void> check_name(std::string_view name) {
  if (is_host_name(name)) return {};
  return base::Error(base::Kind::invalid,
                     fmt::format("{} is not valid in a hostlist; a node name has 1 to {} printable "
                                 "characters without spaces, commas and brackets",
                                 base::quoted(name),
                                 kMaxHostLength));
}

struct Run {
  Numbered first;
  Numbered last;
};

// The runs of names that share one prefix. Expects the names in order, each once. A run continues
// with the next number if that number is written with the width that the run's first number
// implies: 8, 9, 10 and 08, 09, 10 are runs; 8, 09 is not.
std::vector<Run> runs_of(std::span<const Numbered> names) {
  std::vector<Run> runs;
  constexpr std::size_t kNone = SIZE_MAX;
  std::array<std::size_t, kMaxDigits + 1> latest{};  // by the width of the first number
  latest.fill(kNone);
  for (const Numbered& name : names) {
    const std::size_t least_width = fmt::formatted_size("{}", name.number);
    const auto goes_on = [&](std::size_t run) {
      return run != kNone && runs[run].last.number + 1 == name.number &&
             name.digits.size() == std::max(least_width, runs[run].first.digits.size());
    };
    if (const auto run = std::ranges::find_if(latest, goes_on); run != latest.end()) {
      runs[*run].last = name;
      continue;
    }
    latest[name.digits.size()] = runs.size();
    runs.push_back({name, name});
  }
  return runs;
}

void append(std::string& list, std::span<const Numbered> one_prefix) {
  const auto comma = [&list] {
    if (!list.empty()) list.push_back(',');
  };
  if (one_prefix.front().digits.empty()) {
    comma();
    list.append(one_prefix.front().prefix);
    one_prefix = one_prefix.subspan(1);
  }
  if (one_prefix.empty()) return;
  comma();
  list.append(one_prefix.front().prefix);
  if (one_prefix.size() == 1) {
    list.append(one_prefix.front().digits);
    return;
  }
  char before = '[';
  for (const Run& run : runs_of(one_prefix)) {
    list.push_back(before);
    before = ',';
    list.append(run.first.digits);
    if (run.first.number != run.last.number) list.append("-").append(run.last.digits);
  }
  list.push_back(']');
}

}  // namespace

base::Result<std::string> compress_hostlist(std::span<const std::string> names) {
  std::vector<Numbered> sorted;
  sorted.reserve(names.size());
  for (const std::string& name : names) {
    TRY_VOID(check_name(name));
    sorted.push_back(take_apart(name));
  }
  std::ranges::sort(sorted, {}, &Numbered::order);
  const auto repeated = std::ranges::unique(sorted, {}, &Numbered::order);
  sorted.erase(repeated.begin(), repeated.end());

  std::string list;
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto end = std::find_if(
        first, sorted.end(), [&](const Numbered& name) { return name.prefix != first->prefix; });
    append(list, {first, end});
    first = end;
  }
  return list;
}

}  // namespace slurm::inline api
