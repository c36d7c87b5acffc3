// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/dynamic_object.h"
#include "kube/api/meta.h"
#include "kube/client/object_calls.h"

#include <concepts>
#include <optional>
#include <utility>
#include <vector>

namespace kube::inline client {

// Calls for the objects of one kind, with typed answers.
//
//   kube::Api<kube::ConfigMap> config_maps(loop, client);
//   CO_TRY(kube::ConfigMap source, co_await config_maps.get({"default", "settings"}));
//   CO_TRY_VOID(co_await config_maps.apply(copy, {"my-controller", kube::Conflicts::force}));
//
//   kube::Api<kube::DynamicObject> widgets(loop, client, widget_resource);   // known at run time
//   CO_TRY_VOID(co_await widgets.status().apply(body, {"my-controller"}));
//
// Expects     that loop and client outlive it and every call.
// Guarantees  one request per call; an error has the server's message, with verb and object; an
//             answer that cannot be decoded as T is Kind::protocol, although a write has then taken
//             effect.
// Does not    retry: the work queue does.
template <class T>
class Api {
 public:
  template <class R>
  using Task = net::Task<base::Result<R>>;

  Api(net::Loop& loop, Client& client, Resource resource = resource_of<T>())
      : calls_(loop, client, std::move(resource)) {
    if constexpr (std::same_as<T, PartialObject>) calls_.set_metadata_only();
  }

  const Resource& resource() const { return calls_.resource(); }

  // The same objects with another time limit for each call (default 30 s).
  Api within(base::Duration timeout) const {
    Api other = *this;
    other.calls_.set_timeout(timeout);
    return other;
  }
  // get, apply, patch and replace use this subresource.
  Api subresource(std::string name) const {
    Api other = *this;
    other.calls_.set_subresource(std::move(name));
    return other;
  }
  Api status() const { return subresource("status"); }

  Task<T> get(ObjectKey key) const { co_return decoded(co_await calls_.get(std::move(key))); }

  // Empty if the object does not exist.
  Task<std::optional<T>> find(ObjectKey key) const {
    auto answer = co_await calls_.get(std::move(key));
    if (!answer.ok() && answer.error().is(base::Kind::not_found)) co_return std::optional<T>();
    CO_TRY(T object, decoded(std::move(answer)));
    co_return std::optional<T>(std::move(object));
  }

  // All objects, page by page. Kind::gone: the list expired between two pages; list again.
  Task<std::vector<T>> list(ListOptions options = {}) const {
    std::vector<T> objects;
    CO_TRY_VOID(co_await calls_.list(
        std::move(options), [&objects](std::string body) { return take_items(body, objects); }));
    co_return objects;
  }

  Task<T> create(json::Object object, WriteOptions options = {}) const {
    co_return decoded(co_await calls_.create(std::move(object), std::move(options)));
  }
  // Server-side apply: the object has these fields afterwards, and loses those that the same
  // manager applied before and omits now. Creates the object if it does not exist.
  Task<T> apply(json::Object object, ApplyOptions options) const {
    co_return decoded(co_await calls_.apply(std::move(object), std::move(options)));
  }
  // Replaces the whole object; with a resourceVersion in its metadata only that version.
  Task<T> replace(json::Object object, WriteOptions options = {}) const {
    co_return decoded(co_await calls_.replace(std::move(object), std::move(options)));
  }
  Task<T> patch(ObjectKey key, PatchType type, json::Value body, WriteOptions options = {}) const {
    co_return decoded(
        co_await calls_.patch(std::move(key), type, std::move(body), std::move(options)));
  }

  Task<T> create(const T& object, WriteOptions options = {}) const {
    return create(encode_object(object), std::move(options));
  }
  Task<T> apply(const T& object, ApplyOptions options) const {
    return apply(encode_object(object), std::move(options));
  }
  Task<T> replace(const T& object, WriteOptions options = {}) const {
    return replace(encode_object(object), std::move(options));
  }

  Task<void> remove(ObjectKey key, DeleteOptions options = {}) const {
    CO_TRY_VOID(co_await calls_.remove(std::move(key), std::move(options)));
    co_return base::Result<void>();
  }
  // DELETE of the collection (deletecollection): all objects that match, in one call.
  Task<void> remove_all(ListOptions which, DeleteOptions options = {}) const {
    CO_TRY_VOID(co_await calls_.remove_all(std::move(which), std::move(options)));
    co_return base::Result<void>();
  }

  // POST to a subresource of one object: "binding", "token", ...
  Task<void> post_to(ObjectKey key, std::string subresource, json::Value body) const {
    CO_TRY_VOID(co_await calls_.post_to(std::move(key), std::move(subresource), std::move(body)));
    co_return base::Result<void>();
  }
  // Deletes a pod unless a PodDisruptionBudget forbids it (Kind::too_many: retry later).
  Task<void> evict(ObjectKey pod, DeleteOptions options = {}) const {
    json::Value body = eviction_body(pod, options);
    return post_to(std::move(pod), "eviction", std::move(body));
  }

 private:
  static base::Result<T> decoded(base::Result<std::string> answer) {
    if (!answer.ok()) return std::move(answer).error();
    json::Parser parser;
    TRY(const json::Node root, parser.parse(*answer));
    return decode_object<T>(root);
  }

  static base::Result<void> take_items(const std::string& body, std::vector<T>& objects) {
    json::Parser parser;
    TRY(const json::Node page, parser.parse(body));
    base::Result<void> outcome;
    if (const auto items = page.find("items")) {
      items->each_element([&](json::Node item) {
        auto object = decode_object<T>(item);
        if (object.ok()) {
          objects.push_back(std::move(object).value());
        } else {
          outcome = std::move(object).error();
        }
        return outcome.ok();
      });
    }
    return outcome;
  }

  ObjectCalls calls_;
};

}  // namespace kube::inline client
