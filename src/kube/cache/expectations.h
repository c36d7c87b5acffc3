// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/ids.h"
#include "kube/cache/store.h"
#include "net/async/loop.h"

#include <chrono>
#include <deque>
#include <map>
#include <set>
#include <utility>

namespace kube::inline cache {

// Own writes that the watch has not shown yet. A controller that creates objects with generated
// names (or many at once) would create them twice if it decided on a store that lags behind its own
// writes, so it waits while pending().
//
//   if (expectations.pending(owner)) co_return kube::Requeue::on_change();
//   CO_TRY(auto pod, co_await pods.create(...));
//   expectations.created(owner, pod.metadata);
//
// Expects     construction before the store is filled; outlives the last change of the store.
// Guarantees  a create is seen when the store has shown its uid, or its deletion; a delete is seen
//             when the store no longer has the uid. After `patience` neither is waited for:
//             something is wrong with the watch, and a second create that conflicts is better than
//             a controller that does nothing.
template <class T>
class Expectations {
 public:
  Expectations(net::Loop& loop, Store<T>& store, base::Duration patience = std::chrono::minutes(5))
      : loop_(loop), store_(store), patience_(patience) {
    store.on_change([this](const ObjectKey&, const auto& before, const auto& after) {
      const bool replaced = before && (!after || after->metadata.uid != before->metadata.uid);
      if (replaced) gone(before->metadata.uid);
      if (after) erase(created_, after->metadata.uid);
    });
  }
  Expectations(const Expectations&) = delete;
  Expectations& operator=(const Expectations&) = delete;

  void created(const ObjectKey& owner, const ObjectMeta& object) {
    const auto here = store_.find(object.key());
    if (here && here->metadata.uid == object.uid) return;
    if (std::ranges::find(recently_gone_, object.uid) != recently_gone_.end()) return;
    created_[object.uid] = {owner, loop_.in(patience_)};
  }
  void deleted(const ObjectKey& owner, const ObjectMeta& object) {
    const auto here = store_.find(object.key());
    if (!here || here->metadata.uid != object.uid) return;
    deleted_[object.uid] = {owner, loop_.in(patience_)};
  }

  // Whether the store does not show all own writes for this owner yet.
  bool pending(const ObjectKey& owner) {
    expire(created_);
    expire(deleted_);
    const auto is_of = [&](const auto& entry) { return entry.second.owner == owner; };
    return std::ranges::any_of(created_, is_of) || std::ranges::any_of(deleted_, is_of);
  }

 private:
  struct Expected {
    ObjectKey owner;
    base::Instant until;
  };
  using Writes = std::map<Uid, Expected>;

  static void erase(Writes& writes, const Uid& uid) { writes.erase(uid); }
  void gone(const Uid& uid) {
    erase(created_, uid);
    erase(deleted_, uid);
    constexpr std::size_t kRemembered = 256;  // answers overtake the watch only briefly
    recently_gone_.push_back(uid);
    if (recently_gone_.size() > kRemembered) recently_gone_.pop_front();
  }
  void expire(Writes& writes) {
    std::erase_if(writes, [&](const auto& entry) { return entry.second.until <= loop_.now(); });
  }

  net::Loop& loop_;
  Store<T>& store_;
  base::Duration patience_;
  Writes created_;
  Writes deleted_;
  std::deque<Uid> recently_gone_;
};

}  // namespace kube::inline cache
