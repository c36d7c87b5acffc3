// SPDX-License-Identifier: Apache-2.0
#include "kube/api/resource.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace kube::inline api {
namespace {
constexpr std::string_view kCore = "/api/";
constexpr std::string_view kGroups = "/apis/";
}  // namespace

std::string Resource::api_version() const {
  if (api.starts_with(kGroups)) return api.substr(kGroups.size());
  return api.starts_with(kCore) ? api.substr(kCore.size()) : api;
}

std::string Resource::group() const {
  if (!api.starts_with(kGroups)) return "";
  const std::string version = api_version();
  return version.substr(0, version.find('/'));
}

Resource resource_named(std::string api_version,
                        std::string kind,
                        std::string plural,
                        Scope scope) {
  const std::string_view prefix = api_version.contains('/') ? kGroups : kCore;
  return {std::string(prefix) + api_version, std::move(plural), std::move(kind), scope};
}

bool is_api_version(std::string_view text) {
  const bool plain = std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '/';
  });
  return plain && !text.empty() && !text.starts_with('.') && !text.contains("/.") &&
         std::ranges::count(text, '/') <= 1;
}

}  // namespace kube::inline api
