// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kube/refusal.h"
#include "models/kube/resource.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace models::kube {

// A collection as it is served, and where its objects are kept (events are kept once and served in
// two groups).
struct ServedResource {
  KubeResource resource;
  std::size_t storage = 0;
};

class Query {
 public:
  Query() = default;
  explicit Query(std::string_view text);

  // "" if there is no such parameter.
  std::string_view get(std::string_view name) const;
  bool has(std::string_view name) const;
  // As Go reads a bool of a query: "1" and "true" and nothing else.
  bool is_true(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> parameters_;
};

// What a request is about.
struct KubeTarget {
  const ServedResource* served = nullptr;
  std::string ns;
  std::string name;
  std::string subresource;
  Query query;
  bool watch = false;

  const KubeResource& resource() const { return served->resource; }
  // How the store knows the object; the same order as in etcd.
  std::string key() const { return ns.empty() ? name : ns + "/" + name; }
};

// Refuses a path that leads nowhere.
Refused parse_target(std::string_view text,
                     const std::vector<ServedResource>& served,
                     KubeTarget& target);

// True for what asks for a watch, whether its path leads anywhere or not.
bool asks_for_watch(std::string_view method, std::string_view target);

}  // namespace models::kube
