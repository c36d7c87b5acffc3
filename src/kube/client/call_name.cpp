// SPDX-License-Identifier: Apache-2.0
#include "kube/client/call_name.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace kube::inline client {
namespace {

std::vector<std::string_view> segments(std::string_view path) {
  std::vector<std::string_view> all;
  while (!path.empty()) {
    path.remove_prefix(path.starts_with('/') ? 1 : 0);
    const auto end = std::min(path.find('/'), path.size());
    if (end > 0) all.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return all;
}

std::string verb_of(const net::http::Request& request, bool names_an_object) {
  if (request.method != "GET" || names_an_object) return request.method;
  const std::string_view target = request.target;
  const bool watch = target.contains("?watch=") || target.contains("&watch=");
  return watch ? "WATCH" : "LIST";
}

}  // namespace

std::string call_name(const net::http::Request& request) {
  const std::string_view target = request.target;
  auto parts = segments(target.substr(0, target.find('?')));
  // api, v1 or apis, GROUP, VERSION
  const std::size_t api = !parts.empty() && parts[0] == "apis" ? 3 : 2;
  if (parts.size() <= api) return request.method + " other";
  parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(api));
  if (parts[0] == "namespaces" && parts.size() > 2) parts.erase(parts.begin(), parts.begin() + 2);
  std::string name = verb_of(request, parts.size() > 1);
  name.append(" ").append(parts[0]);
  if (parts.size() > 2) name.append("/").append(parts[2]);
  return name;
}

}  // namespace kube::inline client
