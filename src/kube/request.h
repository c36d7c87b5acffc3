// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "kube/ids.h"

#include <chrono>
#include <string>
#include <string_view>

// What we say to the API server, as text. Pure: tested by comparison, usable by the simulation.
namespace kube {

// A collection: where its objects live.
struct Resource {
  std::string_view api;     // "/api/v1", "/apis/batch/v1"
  std::string_view plural;  // "pods"
};
inline constexpr Resource kPods{"/api/v1", "pods"};
inline constexpr Resource kNodes{"/api/v1", "nodes"};
inline constexpr Resource kNamespaces{"/api/v1", "namespaces"};
inline constexpr Resource kLeases{"/apis/coordination.k8s.io/v1", "leases"};
inline constexpr Resource kEvents{"/api/v1", "events"};
inline constexpr Resource kClaims{"/api/v1", "persistentvolumeclaims"};
inline constexpr Resource kVolumes{"/api/v1", "persistentvolumes"};
inline constexpr Resource kStorageClasses{"/apis/storage.k8s.io/v1", "storageclasses"};
inline constexpr Resource kResourceSlices{"/apis/resource.k8s.io/v1", "resourceslices"};

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

}  // namespace kube
