// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/meta.h"
#include "kube/reflector.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace kube {

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
  bool synced() const { return synced_; }
  const Objects& objects() const { return objects_; }
  Pointer find(const ObjectKey& key) const {
    const auto found = objects_.find(key);
    return found == objects_.end() ? nullptr : found->second;
  }
  // Objects that did not fit their type, with the reason.
  const std::map<ObjectKey, std::string>& misfits() const { return misfits_; }

  void on_change(Listener listener) { listeners_.push_back(std::move(listener)); }

  // Takes in the answer of our own write before the watch brings it, so that we never decide on a
  // version that we know to be old. Only for objects that are here: the watch may already have told
  // that this one is gone, and that a namesake has taken its place.
  void written(const json::Node& object) {
    const Pointer here = find(key_of(object));
    if (here && here->metadata.uid == uid_of(object)) take(object, Same::is_news);
  }

  void list_begins() override {
    incoming_.clear();
    incoming_misfits_.clear();
  }

  void list_item(const json::Node& object) override {
    if (Pointer item = decode(object, incoming_misfits_))
      incoming_[item->metadata.key()] = std::move(item);
  }

  void list_ends() override {
    Objects before = std::exchange(objects_, std::move(incoming_));
    misfits_ = std::exchange(incoming_misfits_, {});
    incoming_ = {};
    // A listener may look at the whole store, so all is in place before the first is called.
    const Objects now = objects_;
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
    synced_ = true;
  }

  void changed(const json::Node& object) override { take(object, Same::is_known); }

  void deleted(const json::Node& object) override {
    const ObjectKey key = key_of(object);
    misfits_.erase(key);
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
    misfits_.erase(key);
    Pointer after = decode(object, misfits_);
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

  Pointer decode(const json::Node& object, std::map<ObjectKey, std::string>& misfits) {
    base::Result<T> decoded = decode_object<T>(object);
    if (decoded.ok()) return std::make_shared<const T>(std::move(decoded).value());
    misfits[key_of(object)] = decoded.error().message();
    return nullptr;
  }

  void tell(const ObjectKey& key, const Pointer& before, const Pointer& after) {
    for (const Listener& listener : listeners_) listener(key, before, after);
  }

  Objects objects_;
  Objects incoming_;
  std::map<ObjectKey, std::string> misfits_;
  std::map<ObjectKey, std::string> incoming_misfits_;
  std::vector<Listener> listeners_;
  bool synced_ = false;
};

}  // namespace kube
