// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "slurm/api/ids.h"

#include <optional>
#include <vector>

// The format of some values in Slurm's JSON; shared by the request builders of this folder.
namespace slurm::inline api {

// A number that may be absent.
template <class T>
json::Value no_val(const std::optional<T>& number) {
  if (!number) return json::Object{{"set", false}};
  return json::Object{{"infinite", false}, {"number", *number}, {"set", true}};
}

inline json::Array names(const std::vector<SlurmNodeName>& nodes) {
  json::Array array;
  array.reserve(nodes.size());
  for (const SlurmNodeName& node : nodes) array.emplace_back(node.value());
  return array;
}

}  // namespace slurm::inline api
