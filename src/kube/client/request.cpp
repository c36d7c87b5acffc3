// SPDX-License-Identifier: Apache-2.0
#include "kube/client/request.h"

#include "net/transport/url.h"

#include <fmt/format.h>

namespace kube::inline client {
namespace {

std::string selectors(const Selection& selection) {
  std::string query;
  if (!selection.label_selector.empty()) {
    query += "&labelSelector=" + net::encode_query_value(selection.label_selector);
  }
  if (!selection.field_selector.empty()) {
    query += "&fieldSelector=" + net::encode_query_value(selection.field_selector);
  }
  return query;
}

}  // namespace

std::string collection_path(const Resource& resource, std::string_view ns) {
  if (ns.empty()) return fmt::format("{}/{}", resource.api, resource.plural);
  return fmt::format(
      "{}/namespaces/{}/{}", resource.api, net::encode_path_segment(ns), resource.plural);
}

std::string object_path(const Resource& resource,
                        const ObjectKey& key,
                        std::string_view subresource) {
  std::string path = collection_path(resource, key.ns);
  path.append("/").append(net::encode_path_segment(key.name));
  if (!subresource.empty()) path.append("/").append(subresource);
  return path;
}

std::string list_path(const Selection& selection,
                      std::size_t limit,
                      std::string_view continue_token) {
  std::string path = fmt::format("{}?limit={}{}",
                                 collection_path(selection.resource, selection.ns),
                                 limit,
                                 selectors(selection));
  if (!continue_token.empty()) path += "&continue=" + net::encode_query_value(continue_token);
  return path;
}

std::string watch_path(const Selection& selection,
                       std::string_view resource_version,
                       std::chrono::seconds timeout) {
  return fmt::format("{}?watch=1&allowWatchBookmarks=true&timeoutSeconds={}&resourceVersion={}{}",
                     collection_path(selection.resource, selection.ns),
                     timeout.count(),
                     net::encode_query_value(resource_version),
                     selectors(selection));
}

}  // namespace kube::inline client
