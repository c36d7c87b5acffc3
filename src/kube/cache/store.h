// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/meta.h"
#include "kube/cache/reflector.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kube::inline cache {

// The key of an object that may not be decodable otherwise.
ObjectKey key_of(const json::Node& object);

// Returns whether a is an earlier version than b. The versions of a server are increasing numbers;
// if they are not (the API allows it), none counts as older and the order of arrival decides.
bool is_older(const std::string& a, const std::string& b);

// The objects of one collection as last received from the API server, by key in a stable order.
//
// Guarantees  readers see either the state before a list or the complete list, never a part. An
//             object that cannot be decoded is omitted, its error is kept, and no other object is
//             affected. Listeners are called once for each change, after it is visible. A store
//             that several reflectors fill, one for each namespace (part()), is synced when all of
//             them have listed. A resource that the server does not serve has no objects.
// Does not    change objects that it returned: a pointer stays valid and its object constant.
template <class T>
class Store final : public Sink {
 public:
  using Pointer = std::shared_ptr<const T>;
  using Objects = std::map<ObjectKey, Pointer>;
  // `before` is null for a new object, `after` for a deleted one.
  using Listener =
      std::function<void(const ObjectKey&, const Pointer& before, const Pointer& after)>;

  // False until the first complete list has arrived and all listeners were called: while it is
  // false, a listener is called for objects that existed before.
  bool synced() const {
    if (parts_.empty()) return whole_.listed;
    return std::ranges::all_of(parts_, [](const auto& part) { return part->listed.listed; });
  }
  // False while the server does not serve the resource (a CustomResourceDefinition that does not
  // exist).
  bool served() const { return served_; }
  const Objects& objects() const { return objects_; }
  Pointer find(const ObjectKey& key) const {
    const auto found = objects_.find(key);
    return found == objects_.end() ? nullptr : found->second;
  }
  // Objects that could not be decoded, with the error.
  const std::map<ObjectKey, std::string>& undecodable() const { return undecodable_; }

  void on_change(Listener listener) { listeners_.push_back(std::move(listener)); }
  // The type of list items, which the API server omits there. For types that keep it
  // (DynamicObject, PartialObject).
  void set_type(std::string api_version, std::string kind) {
    api_version_ = std::move(api_version);
    kind_ = std::move(kind);
  }
  // Called with the key and the error, once for each object and error.
  void on_undecodable(std::function<void(const ObjectKey&, const std::string&)> call) {
    on_undecodable_ = std::move(call);
  }
  // Called at the end of each complete list (of a part, if there are parts), after the listeners
  // were called.
  void on_list(std::function<void()> call) { list_listeners_.push_back(std::move(call)); }

  // Stores the answer of an own write before the watch delivers it, so that no decision uses a
  // version that is known to be old. Only for objects that are in the store: the watch may already
  // have removed the object, and another one may have the same name.
  void written(T object) {
    if (is_here(object)) accept(std::make_shared<const T>(std::move(object)), Same::is_change);
  }
  // The same for an object that was read outside the watch: the stored version is no change.
  void read(T object) {
    if (is_here(object)) accept(std::make_shared<const T>(std::move(object)), Same::is_known);
  }

  // Returns the Sink for the objects of one namespace. Expects that the whole store is not filled
  // by another reflector.
  Sink& part(std::string ns) {
    parts_.push_back(std::make_unique<Part>(*this, std::move(ns)));
    return *parts_.back();
  }

  void list_begins() override { whole_.begin(); }
  void list_item(const json::Node& object) override { take_item(object, whole_); }
  void list_ends() override { replace(whole_, std::nullopt); }
  void not_served() override { drop(whole_, std::nullopt); }

  void changed(const json::Node& object) override { take(object); }

  void deleted(const json::Node& object) override {
    const ObjectKey key = key_of(object);
    undecodable_.erase(key);
    const auto found = objects_.find(key);
    if (found == objects_.end()) return;
    const Pointer before = found->second;
    objects_.erase(found);
    notify(key, before, nullptr);
  }

 private:
  // An object of the version that the store has: from a watch it changes nothing; as the answer of
  // an own write it may differ, because removing the last finalizer deletes the object without a
  // new version.
  enum class Same { is_known, is_change };

  bool is_here(const T& object) const {
    const Pointer here = find(object.metadata.key());
    return here && here->metadata.uid == object.metadata.uid;
  }

  void take(const json::Node& object) {
    if (Pointer after = decode(object, undecodable_)) {
      accept(std::move(after), Same::is_known);
      return;
    }
    const auto found = objects_.find(key_of(object));
    if (found == objects_.end()) return;
    const ObjectKey key = found->first;
    const Pointer before = found->second;
    objects_.erase(found);
    notify(key, before, nullptr);
  }

  void accept(Pointer after, Same same) {
    const ObjectKey key = after->metadata.key();
    undecodable_.erase(key);
    const Pointer before = find(key);
    if (before && before->metadata.uid == after->metadata.uid &&
        is_older(after->metadata.resourceVersion, before->metadata.resourceVersion)) {
      return;  // the answer of an own write overtook the watch
    }
    if (same == Same::is_known && before &&
        before->metadata.resourceVersion == after->metadata.resourceVersion) {
      return;
    }
    objects_[key] = after;
    notify(key, before, after);
  }

  // A list in progress.
  struct Listed {
    Objects objects;
    std::map<ObjectKey, std::string> undecodable;
    bool listed = false;  // a complete list has arrived

    void begin() {
      objects.clear();
      undecodable.clear();
    }
  };

  class Part final : public Sink {
   public:
    Part(Store& store, std::string ns) : store_(store), ns_(std::move(ns)) {}
    void list_begins() override { listed.begin(); }
    void list_item(const json::Node& object) override { store_.take_item(object, listed); }
    void list_ends() override { store_.replace(listed, ns_); }
    void changed(const json::Node& object) override { store_.changed(object); }
    void deleted(const json::Node& object) override { store_.deleted(object); }
    void not_served() override { store_.drop(listed, ns_); }
    Listed listed;

   private:
    Store& store_;
    std::string ns_;
  };

  void take_item(const json::Node& object, Listed& listed) {
    Pointer item = decode(object, listed.undecodable);
    if (!item) return;
    // A list may come from a server that is behind; own newer writes are kept.
    const Pointer here = find(item->metadata.key());
    const bool behind = here && here->metadata.uid == item->metadata.uid &&
                        is_older(item->metadata.resourceVersion, here->metadata.resourceVersion);
    listed.objects[item->metadata.key()] = behind ? here : std::move(item);
  }

  // Moves the entries of one namespace, or all, out of a map.
  template <class Map>
  static Map extract(Map& map, const std::optional<std::string>& ns) {
    if (!ns) return std::exchange(map, {});
    Map taken;
    for (auto entry = map.lower_bound(ObjectKey{*ns, ""});
         entry != map.end() && entry->first.ns == *ns;) {
      auto next = std::next(entry);
      taken.insert(map.extract(entry));
      entry = next;
    }
    return taken;
  }

  // Replaces the objects of one namespace, or all, by a complete list.
  void replace(Listed& listed, const std::optional<std::string>& ns) {
    served_ = true;
    Objects before = extract(objects_, ns);
    (void)extract(undecodable_, ns);
    const Objects now = std::exchange(listed.objects, {});
    objects_.insert(now.begin(), now.end());
    undecodable_.merge(listed.undecodable);
    listed.begin();
    // A listener may read the whole store, so everything is in place before the first call.
    for (const auto& [key, object] : now) {
      const auto old = before.find(key);
      if (old == before.end()) {
        notify(key, nullptr, object);
      } else {
        if (old->second->metadata.resourceVersion != object->metadata.resourceVersion) {
          notify(key, old->second, object);
        }
        before.erase(old);
      }
    }
    for (const auto& [key, object] : before) notify(key, object, nullptr);
    listed.listed = true;
    for (const auto& call : list_listeners_) call();
  }

  void drop(Listed& listed, const std::optional<std::string>& ns) {
    listed.begin();
    replace(listed, ns);
    served_ = false;
  }

  Pointer decode(const json::Node& object, std::map<ObjectKey, std::string>& undecodable) {
    base::Result<T> decoded = decode_object<T>(object);
    if (decoded.ok()) {
      T value = std::move(decoded).value();
      complete_type(value);
      return std::make_shared<const T>(std::move(value));
    }
    const ObjectKey key = key_of(object);
    const std::string& why = decoded.error().message();
    const auto known = undecodable_.find(key);
    const bool is_new = known == undecodable_.end() || known->second != why;
    undecodable[key] = why;
    if (is_new && on_undecodable_) on_undecodable_(key, why);
    return nullptr;
  }

  void complete_type(T& value) const {
    if constexpr (requires { value.kind; }) {
      if (!value.kind.empty()) return;
      value.apiVersion = api_version_;
      value.kind = kind_;
    }
  }

  void notify(const ObjectKey& key, const Pointer& before, const Pointer& after) {
    for (const Listener& listener : listeners_) listener(key, before, after);
  }

  std::string api_version_;
  std::string kind_;
  Objects objects_;
  std::map<ObjectKey, std::string> undecodable_;
  Listed whole_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<Listener> listeners_;
  std::function<void(const ObjectKey&, const std::string&)> on_undecodable_;
  std::vector<std::function<void()>> list_listeners_;
  bool served_ = true;
};

}  // namespace kube::inline cache
