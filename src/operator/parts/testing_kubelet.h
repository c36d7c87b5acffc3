// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace slurmop::parts {

// For tests only: command, arguments and variables as the kubelet passes them on. "$(NAME)" of a
// variable is replaced, "$$" is "$", everything else is unchanged.
inline std::string as_kubelet_expands(std::string_view text,
                                      const std::map<std::string, std::string>& variables) {
  std::string all;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$' || i + 1 == text.size()) {
      all += text[i];
    } else if (text[i + 1] == '$') {
      all += '$';
      ++i;
    } else if (text[i + 1] == '(') {
      const std::size_t end = text.find(')', i);
      if (end == std::string_view::npos) {
        all += text[i];
        continue;
      }
      const std::string_view name = text.substr(i + 2, end - i - 2);
      const auto found = variables.find(std::string(name));
      all += found == variables.end() ? std::string(text.substr(i, end - i + 1)) : found->second;
      i = end;
    } else {
      all += text[i];
    }
  }
  return all;
}

}  // namespace slurmop::parts
