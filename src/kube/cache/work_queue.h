// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/backoff.h"
#include "base/error.h"
#include "net/async/loop.h"
#include "net/async/task_group.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace kube::inline cache {

// When a key has to run again.
struct Requeue {
  enum class When { on_change, now, after, after_backoff };
  When when = When::on_change;
  base::Duration delay{};

  static Requeue on_change() { return {}; }
  static Requeue now() { return {When::now, {}}; }
  static Requeue after(base::Duration delay) { return {When::after, delay}; }
  // After a failure: the delay doubles with each failure in a row.
  static Requeue after_backoff() { return {When::after_backoff, {}}; }
  // The same, and not before the time that the server asked for (Error::retry_after), even if the
  // key is added meanwhile.
  static Requeue after_backoff(const base::Error& error) {
    return {When::after_backoff, error.retry_after().value_or(std::chrono::milliseconds(0))};
  }
};

// Runs a function for each key that was added.
//
// Guarantees  a key is queued at most once and runs at most once at a time; a key that is added
//             while it runs, runs once more afterwards; keys run in the order in which they were
//             queued; of two delayed requests the earlier one is used, but a key does not run
//             before the time that the server asked for in its last failure; at most `concurrency`
//             keys run at a time.
// Does not    pass on events: a run gets only the key and reads the current state.
template <class Key>
class WorkQueue {
 public:
  using Reconcile = std::function<net::Task<Requeue>(Key)>;

  WorkQueue(net::Loop& loop, net::TaskGroup& tasks, std::size_t concurrency, Reconcile reconcile)
      : loop_(loop), tasks_(tasks), concurrency_(concurrency), reconcile_(std::move(reconcile)) {}

  void add(Key key) {
    if (const auto held = not_before_.find(key); held != not_before_.end()) {
      if (loop_.now() < held->second) return add_at(key, held->second);
      not_before_.erase(held);
    }
    delayed_.erase(key);
    if (running_.contains(key)) {
      dirty_.insert(key);
    } else if (queued_.insert(key).second) {
      ready_.push_back(key);
      start_ready();
    }
  }

  void add_after(const Key& key, base::Duration delay) { add_at(key, loop_.now() + delay); }

  // The cause of failures has ended: keys that wait for a retry run now.
  void retry_failed() {
    std::vector<Key> failed;
    for (const auto& [key, failures] : failures_) failed.push_back(key);
    for (Key& key : failed) add(std::move(key));
  }

  std::size_t waiting() const { return ready_.size(); }
  std::size_t running() const { return running_.size(); }

  // Whether a run is in progress.
  bool busy() const { return !running_.empty(); }

  // No new run starts after this; running ones end with their task group.
  void stop() {
    stopped_ = true;
    delayed_.clear();
  }

 private:
  struct Delayed {
    base::Instant when;
    net::Timer timer;
  };

  void add_at(const Key& key, base::Instant when) {
    if (queued_.contains(key)) return;
    const auto found = delayed_.find(key);
    if (found != delayed_.end() && found->second.when <= when) return;
    delayed_.insert_or_assign(key,
                              Delayed{when, loop_.timers().arm(when, [this, key] { add(key); })});
  }

  void start_ready() {
    while (!stopped_ && running_.size() < concurrency_ && !ready_.empty()) {
      Key key = std::move(ready_.front());
      ready_.pop_front();
      queued_.erase(key);
      running_.insert(key);
      tasks_.spawn("reconcile", run(std::move(key)));
    }
  }

  net::Task<void> run(Key key) {
    const Requeue requeue = co_await reconcile_(key);
    running_.erase(key);
    if (requeue.when != Requeue::When::after_backoff) {
      failures_.erase(key);
    } else if (requeue.delay > base::Duration::zero()) {
      not_before_[key] = loop_.now() + requeue.delay;
    }
    if (dirty_.erase(key) > 0 || requeue.when == Requeue::When::now) {
      add(key);
    } else if (requeue.when == Requeue::When::after) {
      add_after(key, requeue.delay);
    } else if (requeue.when == Requeue::When::after_backoff) {
      const base::BackoffPolicy policy{std::chrono::milliseconds(50), std::chrono::seconds(30)};
      const base::Duration delay = base::backoff_delay(policy, failures_[key]++, loop_.random());
      add_after(key, std::max(delay, requeue.delay));
    }
    start_ready();
  }

  net::Loop& loop_;
  net::TaskGroup& tasks_;
  std::size_t concurrency_;
  Reconcile reconcile_;
  bool stopped_ = false;
  std::deque<Key> ready_;
  std::set<Key> queued_;
  std::set<Key> running_;
  std::set<Key> dirty_;
  std::map<Key, Delayed> delayed_;
  std::map<Key, std::uint32_t> failures_;
  std::map<Key, base::Instant> not_before_;  // requested by the server
};

}  // namespace kube::inline cache
