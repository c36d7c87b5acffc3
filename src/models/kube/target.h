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

// A collection as it is served, and the store of its objects (events are stored once and served in
// two groups).
struct ServedResource {
  KubeResource resource;
  std::size_t storage = 0;
};

class Query {
 public:
  Query() = default;
  explicit Query(std::string_view text);

  // "" if the parameter does not exist.
  std::string_view get(std::string_view name) const;
  bool has(std::string_view name) const;
  // As Go parses a boolean of a query: only "1" and "true" are true.
  bool is_true(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> parameters_;
};

// The target of a request.
struct KubeTarget {
  const ServedResource* served = nullptr;
  std::string ns;
  std::string name;
  std::string subresource;
  Query query;
  bool watch = false;

  const KubeResource& resource() const { return served->resource; }
  // The key of the object in the store; the same order as in etcd.
  std::string key() const { return ns.empty() ? name : ns + "/" + name; }
};

// Rejects a path that does not exist.
Refused parse_target(std::string_view text,
                     const std::vector<ServedResource>& served,
                     KubeTarget& target);

// True for a watch request, whether its path exists or not.
bool asks_for_watch(std::string_view method, std::string_view target);

}  // namespace models::kube
