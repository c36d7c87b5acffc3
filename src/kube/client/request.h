// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "kube/api/ids.h"
#include "kube/api/resource.h"

#include <chrono>
#include <string>
#include <string_view>

// What we say to the API server, as text. Pure: tested by comparison, usable by the simulation.
namespace kube::inline client {

// "/api/v1/namespaces/a/pods", "/api/v1/nodes"; with an empty namespace that of the whole cluster.
std::string collection_path(const Resource& resource, std::string_view ns);

// "/api/v1/namespaces/a/pods/b", "/api/v1/nodes/n"; subresource "" or "status", "binding", ...
std::string object_path(const Resource& resource,
                        const ObjectKey& key,
                        std::string_view subresource = "");

// The objects of a collection that somebody wants to follow.
struct Selection {
  Resource resource;
  std::string ns;              // empty: all namespaces
  std::string label_selector;  // both in the API server's own syntax, empty for all
  std::string field_selector;
  // Only metadata is sent and kept: for kinds whose content must not be cached (Secrets).
  bool metadata_only = false;
  // The kind may not be served: a 404 means that its CustomResourceDefinition does not exist, and
  // that there are no objects. Else a 404 is a failure: it may come from anything on the way to the
  // server, and must not make objects disappear.
  bool may_be_absent = false;
};

std::string list_path(const Selection& selection,
                      std::size_t limit,
                      std::string_view continue_token);
std::string watch_path(const Selection& selection,
                       std::string_view resource_version,
                       std::chrono::seconds timeout);

// Which object, and in which version, a write is meant for.
struct Version {
  Uid uid;
  std::string resource_version;
};

// Body of POST pods/NAME/binding: only this very pod, and only as it was when the decision was
// taken; the annotations are copied to the pod in the same write.
json::Object binding(const ObjectKey& pod,
                     const Version& version,
                     const NodeName& node,
                     json::Object annotations);

// Body of DELETE: only this very object, and only as it was when the decision was taken; with its
// own grace period.
json::Object delete_options(const Version& version);

}  // namespace kube::inline client
