// SPDX-License-Identifier: Apache-2.0
#include "models/slurm/hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>
#include <utility>

namespace models::slurm {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using Names = std::vector<std::string>;

constexpr std::size_t kMostNames = 65'536;

Error malformed(std::string_view list) {
  return Error(Kind::invalid, fmt::format("malformed hostlist \"{}\"", list));
}

std::optional<unsigned long> number(std::string_view digits) {
  unsigned long value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
    return std::nullopt;
  return value;
}

// "001-003,7" -> 001 002 003 7; empty if malformed.
Names expand_ranges(std::string_view ranges) {
  Names texts;
  while (!ranges.empty()) {
    const std::string_view range = ranges.substr(0, ranges.find(','));
    ranges.remove_prefix(std::min(range.size() + 1, ranges.size()));
    const std::size_t dash = range.find('-');
    const auto first = number(range.substr(0, dash));
    const auto last = dash == range.npos ? first : number(range.substr(dash + 1));
    if (!first || !last || *last < *first || *last - *first >= kMostNames) return {};
    const std::size_t width = range.substr(0, dash).size();
    for (unsigned long i = *first; i <= *last; ++i)
      texts.push_back(fmt::format("{:0{}}", i, width));
  }
  return texts;
}

// Removes and returns the first name, with its brackets.
std::string_view next_name(std::string_view& list) {
  std::size_t end = 0;
  bool inside = false;
  for (; end < list.size() && (inside || list[end] != ','); ++end) {
    if (list[end] == '[') inside = true;
    if (list[end] == ']') inside = false;
  }
  const std::string_view name = list.substr(0, end);
  list.remove_prefix(std::min(end + 1, list.size()));
  return name;
}

// All names of one text with any number of brackets; empty if malformed.
Names expand_name(std::string_view name) {
  const std::size_t open = name.find('[');
  if (open == name.npos)
    return name.empty() || name.find(']') != name.npos ? Names() : Names{std::string(name)};
  const std::size_t close = name.find(']', open);
  if (close == name.npos) return {};
  const std::string_view rest = name.substr(close + 1);
  const Names endings = rest.empty() ? Names{""} : expand_name(rest);
  Names all;
  for (const std::string& middle : expand_ranges(name.substr(open + 1, close - open - 1))) {
    for (const std::string& ending : endings)
      all.push_back(fmt::format("{}{}{}", name.substr(0, open), middle, ending));
  }
  return all;
}

}  // namespace

Result<Names> expand_hostlist(std::string_view list) {
  const std::string_view whole = list;
  Names all;
  while (!list.empty()) {
    Names some = expand_name(next_name(list));
    if (some.empty() || all.size() + some.size() > kMostNames) return malformed(whole);
    std::ranges::move(some, std::back_inserter(all));
  }
  return all;
}

Result<std::string> compress_hostlist(std::span<const std::string> names) {
  // By text before the number, then width of the number with leading zeros, then the number.
  using Key = std::pair<std::string, std::size_t>;
  std::map<Key, std::vector<unsigned long>> numbers;
  Names plain;
  for (const std::string& name : names) {
    if (name.empty() || name.find_first_of(" ,[]") != name.npos) return malformed(name);
    const std::size_t last = name.find_last_not_of("0123456789");
    const std::size_t digits = last == name.npos ? 0 : last + 1;
    const auto value = number(std::string_view(name).substr(digits));
    if (!value) {
      plain.push_back(name);
      continue;
    }
    const bool padded = name[digits] == '0' && name.size() - digits > 1;
    numbers[{name.substr(0, digits), padded ? name.size() - digits : 0}].push_back(*value);
  }
  std::vector<std::pair<std::string, std::string>> parts;  // text before the number, whole text
  std::ranges::sort(plain);
  plain.erase(std::ranges::unique(plain).begin(), plain.end());
  for (const std::string& name : plain) parts.emplace_back(name, name);
  for (auto& [key, values] : numbers) {
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
    const std::size_t width = key.second;
    std::string ranges;
    bool several = values.size() > 1;
    for (std::size_t i = 0; i < values.size();) {
      std::size_t j = i;
      while (j + 1 < values.size() && values[j + 1] == values[j] + 1) ++j;
      if (!ranges.empty()) ranges += ',';
      ranges += fmt::format("{:0{}}", values[i], width);
      if (j > i) ranges += fmt::format("-{:0{}}", values[j], width);
      i = j + 1;
    }
    parts.emplace_back(key.first, key.first + (several ? "[" + ranges + "]" : ranges));
  }
  std::ranges::sort(parts);
  std::string list;
  for (const auto& [before, text] : parts) list += (list.empty() ? "" : ",") + text;
  return list;
}

}  // namespace models::slurm
