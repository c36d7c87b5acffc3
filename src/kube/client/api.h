// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/dynamic_object.h"
#include "kube/api/meta.h"
#include "kube/client/access.h"
#include "kube/client/object_calls.h"
#include "kube/client/read_answer.h"

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kube::inline client {

// An object of a list that cannot be decoded as its type: its metadata, and the reason.
struct Unreadable {
  PartialObject object;
  base::Error error;
};

template <class T>
struct Listed {
  std::vector<T> objects;
  std::vector<Unreadable> unreadable;
};

// Calls for the objects of one kind, with typed answers.
//
//   kube::Api<kube::ConfigMap> config_maps(loop, client);
//   CO_TRY(kube::ConfigMap source, co_await config_maps.get({"default", "settings"}));
//   CO_TRY_VOID(co_await config_maps.apply(copy, {"my-controller", kube::Conflicts::force}));
//
//   kube::Api<kube::DynamicObject> widgets(loop, client, widget_resource);   // known at run time
//   CO_TRY_VOID(co_await widgets.status().apply(body, {"my-controller"}));
//
// Expects     that loop and client outlive it and every call, and that it outlives its own calls:
//             `co_await api.within(5s).get(key)` is right, `return api.within(5s).get(key)` is not.
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
  explicit Api(const Access& access, Resource resource = resource_of<T>())
      : Api(access.loop, access.client, std::move(resource)) {}

  const Resource& resource() const { return calls_.resource(); }

  // The same objects with another time limit for each call (default 30 s).
  Api within(base::Duration timeout) const {
    Api other = *this;
    other.calls_.set_timeout(timeout);
    return other;
  }
  // The same objects; all calls together end at this moment at the latest.
  Api until(base::Instant deadline) const {
    Api other = *this;
    other.calls_.set_deadline(deadline);
    return other;
  }
  // get, apply, patch and replace use this subresource.
  Api subresource(std::string name) const {
    Api other = *this;
    other.calls_.set_subresource(std::move(name));
    return other;
  }
  Api status() const { return subresource("status"); }

  Task<T> get(ObjectKey key) const { co_return decoded(co_await calls_.get(key), "get", key); }

  // Empty if the object does not exist.
  Task<std::optional<T>> find(ObjectKey key) const {
    auto answer = co_await calls_.get(key);
    if (!answer.ok() && answer.error().is(base::Kind::not_found)) co_return std::optional<T>();
    CO_TRY(T object, decoded(std::move(answer), "get", key));
    co_return std::optional<T>(std::move(object));
  }

  // All objects, page by page. Kind::gone: the list expired between two pages; list again.
  Task<std::vector<T>> list(ListOptions options = {}) const {
    Listed<T> listed;
    CO_TRY_VOID(co_await calls_.list(std::move(options),
                                     [&](std::string body) -> base::Result<std::size_t> {
                                       TRY_VOID(take_items(body, listed));
                                       if (!listed.unreadable.empty())
                                         return std::move(listed.unreadable.front().error);
                                       return listed.objects.size();
                                     }));
    co_return std::move(listed.objects);
  }
  // The same, except that an object that cannot be decoded as T does not fail the list.
  Task<Listed<T>> list_readable(ListOptions options = {}) const {
    Listed<T> listed;
    CO_TRY_VOID(co_await calls_.list(std::move(options),
                                     [&](std::string body) -> base::Result<std::size_t> {
                                       TRY_VOID(take_items(body, listed));
                                       return listed.objects.size() + listed.unreadable.size();
                                     }));
    co_return listed;
  }

  Task<T> create(json::Object object, WriteOptions options = {}) const {
    const ObjectKey key = key_of_object(object);
    co_return decoded(co_await calls_.create(std::move(object), std::move(options)), "create", key);
  }
  // Server-side apply: the object has these fields afterwards, and loses those that the same
  // manager applied before and omits now. Creates the object if it does not exist.
  Task<T> apply(json::Object object, ApplyOptions options) const {
    const ObjectKey key = key_of_object(object);
    co_return decoded(co_await calls_.apply(std::move(object), std::move(options)), "apply", key);
  }
  // Replaces the whole object; with a resourceVersion in its metadata only that version.
  Task<T> replace(json::Object object, WriteOptions options = {}) const {
    const ObjectKey key = key_of_object(object);
    co_return decoded(
        co_await calls_.replace(std::move(object), std::move(options)), "replace", key);
  }
  Task<T> patch(ObjectKey key, PatchType type, json::Value body, WriteOptions options = {}) const {
    co_return decoded(
        co_await calls_.patch(key, type, std::move(body), std::move(options)), "patch", key);
  }
  // A JSON patch that tests for one version of the object (patch_of_version): Kind::conflict if the
  // object has another version. The server calls a failed test invalid, as it does a malformed
  // patch; the object is read then, to tell the two apart.
  Task<T> patch_tested(ObjectKey key,
                       std::string tested_version,
                       json::Array operations,
                       WriteOptions options = {}) const {
    auto answer = co_await patch(key, PatchType::json, std::move(operations), std::move(options));
    if (answer.ok() || !answer.error().is(base::Kind::invalid)) co_return answer;
    CO_TRY(const T now, co_await get(key));
    if (now.metadata.resourceVersion == tested_version) co_return answer;
    co_return base::Error(base::Kind::conflict, answer.error().message());
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

  // Returns the object if the server answers with it: a grace period or a finalizer keeps it for
  // now. Empty if the server answers with a Status, or with an undecodable object.
  Task<std::optional<T>> remove(ObjectKey key, DeleteOptions options = {}) const {
    CO_TRY(std::string body, co_await calls_.remove(key, std::move(options)));
    if (is_status(body)) co_return std::optional<T>();
    auto object = decoded(std::move(body), "delete", key);
    co_return object.ok() ? std::optional<T>(std::move(object).value()) : std::nullopt;
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
  // Binds a pod to a node. Kind::conflict: the pod is already bound, or has another uid or version.
  Task<void> bind(ObjectKey pod, Binding binding) const {
    CO_TRY_VOID(co_await calls_.post_to(pod, "binding", binding_body(pod, binding)));
    co_return base::Result<void>();
  }
  // Deletes a pod unless a PodDisruptionBudget forbids it (Kind::too_many: retry later).
  Task<void> evict(ObjectKey pod, DeleteOptions options = {}) const {
    json::Value body = eviction_body(pod, options);
    return post_to(std::move(pod), "eviction", std::move(body));
  }

 private:
  base::Result<T> decoded(base::Result<std::string> answer,
                          std::string_view verb,
                          const ObjectKey& key) const {
    if (!answer.ok()) return std::move(answer).error();
    json::Parser parser;
    const auto root = parser.parse(*answer);
    auto object = root.ok() ? decode_object<T>(*root) : base::Result<T>(root.error());
    if (object.ok()) return object;
    return calls_.in_call(std::move(object).error().in("cannot read the answer"), verb, key);
  }

  base::Result<void> take_items(const std::string& body, Listed<T>& listed) const {
    json::Parser parser;
    TRY(const json::Node page, parser.parse(body));
    TRY_VOID(check_list(page));
    const auto items = page.find("items");
    if (!items) return {};  // null
    items->each_element([&](json::Node item) {
      auto object = decode_object<T>(item);
      if (object.ok()) {
        complete_type(*object);
        listed.objects.push_back(std::move(object).value());
      } else {
        listed.unreadable.push_back({known_of(item), std::move(object).error()});
      }
      return true;
    });
    return {};
  }

  // The server leaves the type of a list's objects out.
  void complete_type(T& object) const {
    if constexpr (requires { object.kind; }) {
      if (!object.kind.empty()) return;
      object.apiVersion = resource().api_version();
      object.kind = resource().kind;
    }
  }

  ObjectCalls calls_;
};

}  // namespace kube::inline client
