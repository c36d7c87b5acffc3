// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/cache/store.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kube::inline cache {

// Finds the objects of a store by other properties than their key.
//
// Expects     construction before the listeners that use it are added and before the store is
//             filled; outlives the last change of the store.
// Guarantees  agrees with the store whenever a listener that was added later is called.
template <class T>
class Index {
 public:
  using Terms = std::function<std::vector<std::string>(const T&)>;

  // `terms` returns the values by which an object is found: a pure function of the object.
  Index(Store<T>& store, Terms terms) : terms_(std::move(terms)) {
    store.on_change([this](const ObjectKey& key, const auto& before, const auto& after) {
      if (before) erase(key, *before);
      if (after) insert(key, *after);
    });
  }
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;

  const std::set<ObjectKey>& find(const std::string& term) const {
    static const std::set<ObjectKey> kNone;
    const auto found = keys_.find(term);
    return found == keys_.end() ? kNone : found->second;
  }

 private:
  void insert(const ObjectKey& key, const T& object) {
    for (const std::string& term : terms_(object)) keys_[term].insert(key);
  }
  void erase(const ObjectKey& key, const T& object) {
    for (const std::string& term : terms_(object)) {
      const auto found = keys_.find(term);
      if (found == keys_.end()) continue;
      found->second.erase(key);
      if (found->second.empty()) keys_.erase(found);
    }
  }

  Terms terms_;
  std::map<std::string, std::set<ObjectKey>> keys_;
};

// Terms: the uids of all owners.
template <class T>
std::vector<std::string> owner_uids(const T& object) {
  std::vector<std::string> uids;
  for (const OwnerReference& owner : object.metadata.ownerReferences)
    uids.push_back(owner.uid.value());
  return uids;
}

// Terms: the value of one label, if there is one.
template <class T>
typename Index<T>::Terms label_value(std::string label) {
  return [label = std::move(label)](const T& object) -> std::vector<std::string> {
    const auto found = object.metadata.labels.find(label);
    if (found == object.metadata.labels.end()) return {};
    return {found->second};
  };
}

}  // namespace kube::inline cache
