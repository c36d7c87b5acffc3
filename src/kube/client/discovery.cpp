// SPDX-License-Identifier: Apache-2.0
#include "kube/client/discovery.h"

#include "base/quote.h"
#include "json/node.h"

#include <fmt/format.h>

#include <algorithm>

namespace kube::inline client {
namespace {

using base::Error;
using base::Kind;
using base::Result;

std::string_view text(const json::Node& node, std::string_view key) {
  const auto member = node.find(key);
  return member ? member->as_string().value_or("") : "";
}

Error not_served(std::string_view kind, std::string_view api_version) {
  return Error(Kind::not_found, fmt::format("the server has no kind {} in {}", kind, api_version));
}

}  // namespace

Result<std::vector<Resource>> resources_in(std::string_view body, std::string_view api_version) {
  json::Parser parser;
  TRY(const json::Node root, parser.parse(body));
  std::vector<Resource> all;
  const auto resources = root.find("resources");
  if (!resources) return all;
  resources->each_element([&](json::Node one) {
    const std::string_view plural = text(one, "name");
    // "pods/status" is a resource of this list, too.
    if (plural.empty() || plural.contains('/')) return true;
    const auto namespaced = one.find("namespaced");
    all.push_back(resource_named(
        std::string(api_version),
        std::string(text(one, "kind")),
        std::string(plural),
        namespaced && namespaced->as_bool().value_or(false) ? Scope::namespaced : Scope::cluster));
    return true;
  });
  return all;
}

Result<Resource> resource_in(std::string_view body,
                             std::string_view api_version,
                             std::string_view kind) {
  TRY(std::vector<Resource> all, resources_in(body, api_version));
  const auto found = std::ranges::find(all, kind, &Resource::kind);
  if (found != all.end()) return std::move(*found);
  return not_served(kind, api_version);
}

net::Task<Result<std::vector<Resource>>> discover_all(Client& client,
                                                      std::string api_version,
                                                      base::Instant deadline) {
  if (!is_api_version(api_version))
    co_return Error(Kind::invalid, fmt::format("{} is no apiVersion", base::quoted(api_version)));
  auto answer = co_await client.get(resource_named(api_version, "", "").api, deadline);
  if (!answer.ok())
    co_return std::move(answer).error().in(fmt::format("list the kinds of {}", api_version));
  co_return resources_in(*answer, api_version);
}

net::Task<Result<Resource>> discover(Client& client,
                                     std::string api_version,
                                     std::string kind,
                                     base::Instant deadline) {
  auto all = co_await discover_all(client, api_version, deadline);
  if (!all.ok()) co_return std::move(all).error().in(fmt::format("look for kind {}", kind));
  const auto found = std::ranges::find(*all, kind, &Resource::kind);
  if (found != all->end()) co_return std::move(*found);
  co_return not_served(kind, api_version);
}

}  // namespace kube::inline client
