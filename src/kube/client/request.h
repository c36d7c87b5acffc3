// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/ids.h"
#include "kube/api/resource.h"

#include <chrono>
#include <string>
#include <string_view>

// Requests to the API server, as text. Pure: tested by comparison, used by the simulation.
namespace kube::inline client {

// "/api/v1/namespaces/a/pods", "/api/v1/nodes"; an empty namespace: that of the whole cluster.
std::string collection_path(const Resource& resource, std::string_view ns);

// "/api/v1/namespaces/a/pods/b", "/api/v1/nodes/n"; subresource "" or "status", "binding", ...
std::string object_path(const Resource& resource,
                        const ObjectKey& key,
                        std::string_view subresource = "");

// The objects of a collection to list and watch.
struct Selection {
  Resource resource;
  std::string ns;              // empty: all namespaces
  std::string label_selector;  // both in the syntax of the API server; empty: all
  std::string field_selector;
  // Only metadata is sent and kept: for kinds whose content must not be cached (Secrets).
  bool metadata_only = false;
  // The kind may not be served: a 404 means that its CustomResourceDefinition does not exist, and
  // that there are no objects. Otherwise a 404 is a failure: it may come from a proxy, and must not
  // make objects disappear.
  bool may_be_absent = false;
};

std::string list_path(const Selection& selection,
                      std::size_t limit,
                      std::string_view continue_token);
std::string watch_path(const Selection& selection,
                       std::string_view resource_version,
                       std::chrono::seconds timeout);

}  // namespace kube::inline client
