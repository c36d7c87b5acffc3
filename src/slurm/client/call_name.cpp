// SPDX-License-Identifier: Apache-2.0
#include "slurm/client/call_name.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace slurm::inline client {
namespace {

std::vector<std::string_view> segments(std::string_view target) {
  std::string_view path = target.substr(0, target.find('?'));
  std::vector<std::string_view> all;
  while (!path.empty()) {
    path.remove_prefix(path.starts_with('/') ? 1 : 0);
    const auto end = std::min(path.find('/'), path.size());
    if (end > 0) all.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return all;
}

// Path segments that are neither an id nor a name.
bool is_fixed(std::string_view word) {
  return word == "state" || word == "submit" || word == "v3";
}

}  // namespace

std::string call_name(const net::http::Request& request) {
  auto parts = segments(request.target);
  const bool versioned = parts.size() > 2 && (parts[0] == "slurm" || parts[0] == "slurmdb");
  if (versioned) parts.erase(parts.begin(), parts.begin() + 2);
  std::string name = request.method;
  for (std::size_t i = 0; i < parts.size() && i < 3; ++i) {
    name += i == 0 ? ' ' : '/';
    name += i == 0 || is_fixed(parts[i]) ? parts[i] : "*";
  }
  return name;
}

}  // namespace slurm::inline client
