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

// Key of an object that may not be decodable otherwise.
ObjectKey key_of(const json::Node& object);
Uid uid_of(const json::Node& object);

// True if a is an earlier version than b. Versions of one server are numbers that grow; where they
// are not (the API allows it), nothing is known to be older and the order of arrival decides.
bool is_older(const std::string& a, const std::string& b);

// The objects of one collection as the API server last told us, by key in a stable order.
//
// Guarantees  readers see either the state before a list or the complete list, never a part; an
//             object that cannot be decoded is left out with its error kept and spoils nothing
//             else; listeners hear of each change once, after it is visible.
//             A store that several reflectors feed, one for each namespace (part()), is synced when
//             all of them have listed. A resource that the server does not serve has no objects.
// Does not    change what it handed out: a pointer stays valid and constant for as long as it is
// held.
template <class T>
class Store final : public Sink {
 public:
  using Pointer = std::shared_ptr<const T>;
  using Objects = std::map<ObjectKey, Pointer>;
  // before is empty for a new object, after for one that is gone.
  using Listener =
      std::function<void(const ObjectKey&, const Pointer& before, const Pointer& after)>;

  // False until the first complete list has arrived and everybody has heard of it: while it is
  // false, what a listener hears of was there before us.
  bool synced() const {
    if (parts_.empty()) return whole_.listed;
    return std::ranges::all_of(parts_, [](const auto& part) { return part->listed.listed; });
  }
  // False while the server says that there is no such resource (a CustomResourceDefinition that
  // does not exist).
  bool served() const { return served_; }
  const Objects& objects() const { return objects_; }
  Pointer find(const ObjectKey& key) const {
    const auto found = objects_.find(key);
    return found == objects_.end() ? nullptr : found->second;
  }
  // Objects that did not fit their type, with the reason.
  const std::map<ObjectKey, std::string>& undecodable() const { return undecodable_; }

  void on_change(Listener listener) { listeners_.push_back(std::move(listener)); }
  // The type of the objects of a list that do not name their type: the API server leaves it out
  // there. For types that keep it (DynamicObject, PartialObject).
  void set_type(std::string api_version, std::string kind) {
    api_version_ = std::move(api_version);
    kind_ = std::move(kind);
  }
  // Called with the key and the reason, once for each object and reason.
  void on_undecodable(std::function<void(const ObjectKey&, const std::string&)> call) {
    on_undecodable_ = std::move(call);
  }
  // Called at the end of each complete list (of a part, where there are parts), when its changes
  // were told.
  void on_list(std::function<void()> call) { list_listeners_.push_back(std::move(call)); }

  // Takes in the answer of our own write before the watch brings it, so that we never decide on a
  // version that we know to be old. Only for objects that are here: the watch may already have told
  // that this one is gone, and that a namesake has taken its place.
  void written(const json::Node& object) {
    const Pointer here = find(key_of(object));
    if (here && here->metadata.uid == uid_of(object)) take(object, Same::is_news);
  }

  // What feeds the objects of one namespace. Expects that nothing feeds the whole store.
  Sink& part(std::string ns) {
    parts_.push_back(std::make_unique<Part>(*this, std::move(ns)));
    return *parts_.back();
  }

  void list_begins() override { whole_.begin(); }
  void list_item(const json::Node& object) override { take_item(object, whole_); }
  void list_ends() override { replace(whole_, std::nullopt); }
  void not_served() override { drop(whole_, std::nullopt); }

  void changed(const json::Node& object) override { take(object, Same::is_known); }

  void deleted(const json::Node& object) override {
    const ObjectKey key = key_of(object);
    undecodable_.erase(key);
    const auto found = objects_.find(key);
    if (found == objects_.end()) return;
    const Pointer before = found->second;
    objects_.erase(found);
    tell(key, before, nullptr);
  }

 private:
  // What an object of the version that we have means: from a watch nothing; as the answer of our
  // own write it may differ, because taking the last finalizer off deletes without a new version.
  enum class Same { is_known, is_news };

  void take(const json::Node& object, Same same) {
    const ObjectKey key = key_of(object);
    Pointer after = decode(object, undecodable_);
    if (after) undecodable_.erase(key);
    const auto found = objects_.find(key);
    Pointer before = found == objects_.end() ? nullptr : found->second;
    if (!after) {
      if (before) {
        objects_.erase(found);
        tell(key, before, nullptr);
      }
      return;
    }
    if (before && before->metadata.uid == after->metadata.uid &&
        is_older(after->metadata.resourceVersion, before->metadata.resourceVersion)) {
      return;  // our own write's answer overtook the watch
    }
    if (same == Same::is_known && before &&
        before->metadata.resourceVersion == after->metadata.resourceVersion) {
      return;
    }
    objects_[key] = after;
    tell(key, before, after);
  }

  // A list on its way.
  struct Listed {
    Objects objects;
    std::map<ObjectKey, std::string> undecodable;
    bool listed = false;  // one has arrived

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
    // A list may come from a server that is behind; what we have written meanwhile stays written.
    const Pointer here = find(item->metadata.key());
    const bool behind = here && here->metadata.uid == item->metadata.uid &&
                        is_older(item->metadata.resourceVersion, here->metadata.resourceVersion);
    listed.objects[item->metadata.key()] = behind ? here : std::move(item);
  }

  // Moves the entries of one namespace, or all, out of a map.
  template <class Map>
  static Map taken_out(Map& map, const std::optional<std::string>& ns) {
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

  // Puts a complete list in place of what was there of its namespace.
  void replace(Listed& listed, const std::optional<std::string>& ns) {
    served_ = true;
    Objects before = taken_out(objects_, ns);
    (void)taken_out(undecodable_, ns);
    const Objects now = std::exchange(listed.objects, {});
    objects_.insert(now.begin(), now.end());
    undecodable_.merge(listed.undecodable);
    listed.begin();
    // A listener may look at the whole store, so all is in place before the first is called.
    for (const auto& [key, object] : now) {
      const auto old = before.find(key);
      if (old == before.end()) {
        tell(key, nullptr, object);
      } else {
        if (old->second->metadata.resourceVersion != object->metadata.resourceVersion) {
          tell(key, old->second, object);
        }
        before.erase(old);
      }
    }
    for (const auto& [key, object] : before) tell(key, object, nullptr);
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
    const bool is_news = known == undecodable_.end() || known->second != why;
    undecodable[key] = why;
    if (is_news && on_undecodable_) on_undecodable_(key, why);
    return nullptr;
  }

  void complete_type(T& value) const {
    if constexpr (requires { value.kind; }) {
      if (!value.kind.empty()) return;
      value.apiVersion = api_version_;
      value.kind = kind_;
    }
  }

  void tell(const ObjectKey& key, const Pointer& before, const Pointer& after) {
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
