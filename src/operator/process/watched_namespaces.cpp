// SPDX-License-Identifier: Apache-2.0
#include "operator/process/watched_namespaces.h"

#include "base/quote.h"

#include <algorithm>

namespace slurmop::process {
namespace {

using base::Error;
using base::Kind;
using base::Result;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool is_namespace(std::string_view name) {
  constexpr std::size_t kLongest = 63;
  return !name.empty() && name.size() <= kLongest && is_letter_or_digit(name.front()) &&
         is_letter_or_digit(name.back()) &&
         std::ranges::all_of(name, [](char c) { return is_letter_or_digit(c) || c == '-'; });
}

}  // namespace

Result<std::vector<std::string>> watched_namespaces(std::string_view text) {
  std::vector<std::string> names;
  if (trimmed(text).empty() || trimmed(text) == "*") return names;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    const std::string_view name = trimmed(text.substr(from, end - from));
    from = end + 1;
    if (!is_namespace(name))
      return Error(Kind::invalid,
                   base::quoted(name) +
                       " is not the name of a namespace; write \"*\" for all, or "
                       "names separated by commas");
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  }
  return names;
}

}  // namespace slurmop::process
