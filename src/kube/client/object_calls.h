// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/value.h"
#include "kube/api/resource.h"
#include "kube/client/client.h"
#include "kube/client/request.h"
#include "kube/client/write_options.h"
#include "net/async/loop.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace kube::inline client {

// Selects objects of a resource.
struct ListOptions {
  std::string ns = {};              // empty: all namespaces
  std::string label_selector = {};  // both in the syntax of the API server
  std::string field_selector = {};
  std::size_t page_size = 500;  // objects per request; 0: all of them in one answer
  std::size_t at_most = 0;      // ends after this many objects; 0: no limit
};

// The calls for objects of one resource, as text: the base of Api<T>.
//
// Expects     that loop and client outlive it and every call.
// Guarantees  one request per call (a list: one per page), within `timeout`; errors name the verb
//             and the object: "apply configmaps a/b: conflict: ...".
class ObjectCalls {
 public:
  using Task = net::Task<base::Result<std::string>>;

  ObjectCalls(net::Loop& loop, Client& client, Resource resource)
      : loop_(loop), client_(client), resource_(std::move(resource)) {}

  const Resource& resource() const { return resource_; }
  void set_timeout(base::Duration timeout) {
    timeout_ = timeout;
    until_.reset();
  }
  void set_deadline(base::Instant deadline) { until_ = deadline; }
  // get and list request metadata only.
  void set_metadata_only() { metadata_only_ = true; }
  void set_subresource(std::string name) { subresource_ = std::move(name); }

  Task get(ObjectKey key) const;
  // Calls `page` with the body of each page. `page` returns the number of objects so far.
  net::Task<base::Result<void>> list(
      ListOptions options, std::function<base::Result<std::size_t>(std::string)> page) const;
  // The namespace, and except for create the name, are those of the object's metadata.
  Task create(json::Object object, WriteOptions options) const;
  Task apply(json::Object object, ApplyOptions options) const;
  Task replace(json::Object object, WriteOptions options) const;
  Task patch(ObjectKey key, PatchType type, json::Value body, WriteOptions options) const;
  Task post_to(ObjectKey key, std::string subresource, json::Value body) const;
  Task remove(ObjectKey key, DeleteOptions options) const;
  Task remove_all(ListOptions which, DeleteOptions options) const;

  // The context of an error: "patch pods a/b: ...".
  base::Error in_call(base::Error error, std::string_view verb, const ObjectKey& key) const;

 private:
  std::string path(const ObjectKey& key) const;
  base::Instant deadline() const { return until_ ? *until_ : loop_.in(timeout_); }
  base::Result<std::string> with_context(base::Result<std::string> answer,
                                         std::string_view verb,
                                         const ObjectKey& key) const;
  // Adds apiVersion and kind of the resource at the front.
  json::Object typed(json::Object object) const;

  net::Loop& loop_;
  Client& client_;
  Resource resource_;
  std::string subresource_;
  bool metadata_only_ = false;
  base::Duration timeout_ = std::chrono::seconds(30);
  std::optional<base::Instant> until_;
};

// metadata.namespace and metadata.name of an object to be written.
ObjectKey key_of_object(const json::Object& object);

}  // namespace kube::inline client
