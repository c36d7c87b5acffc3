// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/objects/object.h"
#include "operator/settle/cluster.h"

#include <string>
#include <string_view>
#include <utility>

namespace slurmop::parts {

// Metadata of an object that belongs to a component ("controller", "login", "common", ...) and is
// deleted with the cluster.
inline objects::Meta component_meta(const settle::Cluster& cluster,
                                    std::string name,
                                    std::string_view component) {
  return {.ns = cluster.names.ns(),
          .name = std::move(name),
          .labels = objects::labels(cluster.names.cluster(), component),
          .owner = cluster.owner};
}

// Metadata of an object that holds data: it has no owner and so remains when the cluster is deleted.
// A new cluster of the same name uses it again.
inline objects::Meta kept_meta(const settle::Cluster& cluster,
                               std::string name,
                               std::string_view component) {
  objects::Meta meta = component_meta(cluster, std::move(name), component);
  meta.owner = {};
  return meta;
}

}  // namespace slurmop::parts
