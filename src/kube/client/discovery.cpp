// SPDX-License-Identifier: Apache-2.0
#include "kube/client/discovery.h"

#include "json/node.h"

#include <fmt/format.h>

#include <optional>

namespace kube::inline client {
namespace {

using base::Error;
using base::Kind;
using base::Result;

std::string_view text(const json::Node& node, std::string_view key) {
  const auto member = node.find(key);
  return member ? member->as_string().value_or("") : "";
}

}  // namespace

Result<Resource> resource_in(std::string_view body,
                             std::string_view api_version,
                             std::string_view kind) {
  json::Parser parser;
  TRY(const json::Node root, parser.parse(body));
  std::optional<Resource> found;
  if (const auto resources = root.find("resources")) {
    resources->each_element([&](json::Node one) {
      const std::string_view plural = text(one, "name");
      // "pods/status" is also a resource of this list.
      if (text(one, "kind") != kind || plural.contains('/')) return true;
      const auto namespaced = one.find("namespaced");
      found = resource_named(
          std::string(api_version),
          std::string(kind),
          std::string(plural),
          namespaced && namespaced->as_bool().value_or(false) ? Scope::namespaced : Scope::cluster);
      return false;
    });
  }
  if (found) return *std::move(found);
  return Error(Kind::not_found, fmt::format("the server has no kind {} in {}", kind, api_version));
}

net::Task<Result<Resource>> discover(Client& client,
                                     std::string api_version,
                                     std::string kind,
                                     base::Instant deadline) {
  const std::string target = resource_named(api_version, kind, "").api;
  auto answer = co_await client.get(target, deadline);
  if (!answer.ok()) {
    co_return std::move(answer).error().in(
        fmt::format("look for kind {} in {}", kind, api_version));
  }
  co_return resource_in(*answer, api_version, kind);
}

}  // namespace kube::inline client
