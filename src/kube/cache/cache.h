// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/dynamic_object.h"
#include "kube/cache/index.h"
#include "kube/cache/reflector.h"
#include "kube/cache/store.h"
#include "kube/client/access.h"
#include "net/async/task_group.h"

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kube::inline cache {

// The objects that a cache holds.
struct CacheOptions {
  std::vector<std::string> namespaces = {};  // empty: all, with one watch
  std::string label_selector = {};
  std::string field_selector = {};
  bool may_be_absent = false;  // the CustomResourceDefinition of the kind may not exist
};

// The objects of one kind, kept equal to the API server by list and watch.
//
//   kube::Cache<kube::ConfigMap> config_maps(access);
//   kube::Cache<kube::PartialObject> secrets(access, {{"a", "b"}}, kube::kSecrets);
//   auto& by_owner = config_maps.add_index(kube::owner_uids<kube::ConfigMap>);
//
// Expects     run() in a task of the process; indexes are added before it.
// Guarantees  those of Store and Reflector. A cache of PartialObject receives metadata only. A kind
//             that may be absent, and is absent, counts as synced and empty, and is watched within
//             10 s after it appears.
template <class T>
class Cache {
 public:
  explicit Cache(Access access, CacheOptions options = {}, Resource resource = resource_of<T>())
      : access_(std::move(access)), resource_(std::move(resource)) {
    store_.set_type(resource_.api_version(), resource_.kind);
    if (options.namespaces.empty()) {
      add_reflector("", options, store_);
    } else {
      for (const std::string& ns : options.namespaces) add_reflector(ns, options, store_.part(ns));
    }
  }
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  Store<T>& store() { return store_; }
  const Store<T>& store() const { return store_; }
  const Resource& resource() const { return resource_; }
  typename Store<T>::Pointer find(const ObjectKey& key) const { return store_.find(key); }
  bool synced() const { return store_.synced(); }

  Index<T>& add_index(typename Index<T>::Terms terms) {
    indexes_.push_back(std::make_unique<Index<T>>(store_, std::move(terms)));
    return *indexes_.back();
  }

  // Watches the server until its task is cancelled.
  net::Task<void> run() {
    net::TaskGroup feeds(access_.loop);
    for (const auto& reflector : reflectors_) feeds.spawn(resource_.plural, reflector->run());
    (void)co_await access_.loop.sleep_until(base::kNever);
    feeds.cancel();
    co_await feeds.join();
  }

 private:
  void add_reflector(const std::string& ns, const CacheOptions& options, Sink& sink) {
    Selection selection{resource_,
                        ns,
                        options.label_selector,
                        options.field_selector,
                        std::same_as<T, PartialObject>,
                        options.may_be_absent};
    reflectors_.push_back(std::make_unique<Reflector>(
        access_.loop, access_.client, std::move(selection), sink, access_.log));
  }

  Access access_;
  Resource resource_;
  Store<T> store_;
  std::vector<std::unique_ptr<Index<T>>> indexes_;
  std::vector<std::unique_ptr<Reflector>> reflectors_;
};

}  // namespace kube::inline cache
