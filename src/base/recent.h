// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <utility>

namespace base {

// A map that remembers only the `most` entries that were used last.
//
// Guarantees  at most `most` entries, and at least the one that was touched last; a reference to an
//             entry is valid until another one is touched.
template <class Key, class T>
class Recent {
 public:
  explicit Recent(std::size_t most) : most_(most) {}

  // The entry, made by default if it is new, and now the youngest. The oldest one gives way.
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

  // Without making it younger; null if it is not here.
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
  std::list<std::pair<Key, T>> entries_;  // youngest first
  std::map<Key, typename std::list<std::pair<Key, T>>::iterator> places_;
};

}  // namespace base
