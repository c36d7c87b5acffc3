// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <utility>

namespace base {

// A map that keeps only the `most` recently touched entries.
//
// Guarantees  at most `most` entries, but always the entry touched last; a reference to an entry is
//             valid until another key is touched or the entry is erased.
template <class Key, class T>
class LruMap {
 public:
  explicit LruMap(std::size_t most) : most_(most) {}

  // Returns the entry of `key`, default-constructed if new, and marks it as the most recent. Drops
  // the least recent entry if there are too many.
  T& touch(const Key& key) {
    if (const auto found = places_.find(key); found != places_.end()) {
      entries_.splice(entries_.begin(), entries_, found->second);
    } else {
      entries_.emplace_front(key, T());
      places_[key] = entries_.begin();
      if (entries_.size() > most_ && entries_.size() > 1) {
        places_.erase(entries_.back().first);
        entries_.pop_back();
      }
    }
    return entries_.front().second;
  }

  // Null if there is no entry. Does not mark the entry as recent.
  T* find(const Key& key) {
    const auto found = places_.find(key);
    return found == places_.end() ? nullptr : &found->second->second;
  }

  void erase(const Key& key) {
    const auto found = places_.find(key);
    if (found == places_.end()) return;
    entries_.erase(found->second);
    places_.erase(found);
  }

  std::size_t size() const { return entries_.size(); }

 private:
  std::size_t most_;
  std::list<std::pair<Key, T>> entries_;  // most recent first
  std::map<Key, typename std::list<std::pair<Key, T>>::iterator> places_;
};

}  // namespace base
