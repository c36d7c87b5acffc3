// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/lru_map.h"
#include "base/result.h"
#include "net/async/loop.h"
#include "net/async/signal.h"
#include "net/async/task_group.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace net::inline async {

// Caches reads that many tasks need: a result is reused for a while, and concurrent requests for
// one key share one read.
//
// Expects     that its tasks have ended before it is destroyed.
// Guarantees  cancelling one caller does not affect the others; a failure is returned to all
//             callers that wait for it, and only briefly to later callers; memory is bounded.
template <class Key, class T>
class SharedReads {
 public:
  using Pointer = std::shared_ptr<const T>;
  using Read = std::function<net::Task<base::Result<T>>(Key)>;

  struct Limits {
    base::Duration fresh = std::chrono::seconds(60);
    base::Duration after_failure = std::chrono::seconds(1);
    std::size_t most = 8192;
  };

  SharedReads(net::Loop& loop, net::TaskGroup& tasks, Read read, Limits limits = {})
      : loop_(loop),
        tasks_(tasks),
        read_(std::move(read)),
        limits_(limits),
        entries_(limits.most) {}

  net::Task<base::Result<Pointer>> get(Key key) {
    const std::shared_ptr<Attempt> attempt = attempt_for(key);
    while (!attempt->outcome) {
      const auto woken = co_await attempt->done.wait();
      if (!woken.ok()) co_return woken.error();
    }
    co_return *attempt->outcome;
  }

  // Returns the last value read, of any age; null if there is none. Reads nothing.
  Pointer known(const Key& key) {
    const Entry* entry = entries_.find(key);
    return entry == nullptr ? nullptr : entry->last;
  }

  // The next get() reads again.
  void forget(const Key& key) { entries_.erase(key); }

 private:
  struct Attempt {
    explicit Attempt(net::Loop& loop) : done(loop) {}
    net::Signal done;
    std::optional<base::Result<Pointer>> outcome;
    base::Instant until = base::kNever;  // how long the outcome is valid
  };
  struct Entry {
    Pointer last;
    std::shared_ptr<Attempt> attempt;
  };

  std::shared_ptr<Attempt> attempt_for(const Key& key) {
    Entry& entry = entries_.touch(key);
    if (entry.attempt && loop_.now() < entry.attempt->until) return entry.attempt;
    entry.attempt = std::make_shared<Attempt>(loop_);
    tasks_.spawn("shared read", [this, key, attempt = entry.attempt] { return run(key, attempt); });
    return entry.attempt;
  }

  net::Task<void> run(Key key, std::shared_ptr<Attempt> attempt) {
    base::Result<T> answer = co_await read_(key);
    if (answer.ok()) {
      auto value = std::make_shared<const T>(std::move(answer).value());
      Entry* entry = entries_.find(key);
      if (entry != nullptr && entry->attempt == attempt) entry->last = value;
      attempt->outcome.emplace(std::move(value));
      attempt->until = loop_.in(limits_.fresh);
    } else {
      attempt->outcome.emplace(std::move(answer).error());
      attempt->until = loop_.in(limits_.after_failure);
    }
    attempt->done.notify();
  }

  net::Loop& loop_;
  net::TaskGroup& tasks_;
  Read read_;
  Limits limits_;
  base::LruMap<Key, Entry> entries_;
};

}  // namespace net::inline async
