// SPDX-License-Identifier: Apache-2.0
#include "cluster_domain.h"

namespace operator_app {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// Removes and returns the first word.
std::string_view take_word(std::string_view& line) {
  const auto begin = line.find_first_not_of(kBlanks);
  if (begin == line.npos) return line = {};
  line.remove_prefix(begin);
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

}  // namespace

std::string cluster_domain_in(std::string_view text) {
  constexpr std::string_view kServices = "svc.";
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (take_word(line) != "search") continue;
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      if (word.ends_with('.')) word.remove_suffix(1);
      if (word.starts_with(kServices) && word.size() > kServices.size())
        return std::string(word.substr(kServices.size()));
    }
  }
  return "cluster.local";
}

}  // namespace operator_app
