// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "base/result.h"
#include "kube/api/owner_reference.h"
#include "kube/cache/cache.h"
#include "kube/cache/work_queue.h"
#include "net/async/loop.h"
#include "net/async/task_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kube::inline runner {

struct ControllerOptions {
  std::string name;
  std::size_t workers = 1;  // keys that are reconciled at the same time
};

// Runs a reconcile function for each key that changed (level-triggered).
//
//   const auto reconcile = [&](kube::ObjectKey key) { return copy(key); };
//   kube::Controller<> controller(loop, {"copier"}, reconcile, log);
//   controller.watch(config_maps);          // each by its own key
//   controller.watch(namespaces, [&](const kube::Namespace&) { return all_sources(); });
//   controller.owns(pods, kube::kWidgets);  // by their controller owner
//
// Expects     watch() and owns() before run(); stores that outlive it.
// Guarantees  no key runs before every watched store is synced; then those of WorkQueue. An error
//             is logged and the key runs again with back-off, not before Retry-After: a reconcile
//             returns errors and neither logs nor retries them.
// Does not    pass on events: a reconcile reads the current state.
template <class Key = ObjectKey>
class Controller {
 public:
  using Reconcile = std::function<net::Task<base::Result<Requeue>>(Key)>;

  Controller(net::Loop& loop, ControllerOptions options, Reconcile reconcile, base::Log log)
      : loop_(loop),
        options_(std::move(options)),
        reconcile_(std::move(reconcile)),
        log_(log.with({{"controller", options_.name}})) {}
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  // `keys` returns the keys that an object concerns; called for the object before and after a
  // change.
  template <class T, class Keys>
  void watch(Cache<T>& cache, Keys keys) {
    synced_.push_back([&cache] { return cache.synced(); });
    cache.store().on_change([this, keys](const ObjectKey&, const auto& before, const auto& after) {
      if (before) enqueue_all(keys(*before));
      if (after) enqueue_all(keys(*after));
    });
  }
  template <class T>
    requires std::same_as<Key, ObjectKey>
  void watch(Cache<T>& cache) {
    watch(cache, [](const T& object) { return std::vector<ObjectKey>{object.metadata.key()}; });
  }
  // A change of an object concerns its controller owner, if that is of this kind.
  template <class T>
    requires std::same_as<Key, ObjectKey>
  void owns(Cache<T>& cache, Resource owner) {
    watch(cache, [owner = std::move(owner)](const T& object) -> std::vector<ObjectKey> {
      const OwnerReference* controller = controller_of(object.metadata);
      if (controller == nullptr || controller->kind != owner.kind ||
          controller->apiVersion != owner.api_version()) {
        return {};
      }
      const bool is_namespaced = owner.scope == Scope::namespaced;
      return {{is_namespaced ? object.metadata.namespace_ : std::string(), controller->name}};
    });
  }

  void enqueue(Key key) {
    if (running_) {
      running_->queue.add(std::move(key));
    } else {
      waiting_.insert(std::move(key));
    }
  }

  bool synced() const {
    return std::ranges::all_of(synced_, [](const auto& is_synced) { return is_synced(); });
  }
  // Queued keys; runs and failed runs since the start.
  std::size_t queued() const { return running_ ? running_->queue.waiting() : waiting_.size(); }
  std::uint64_t runs() const { return runs_; }
  std::uint64_t failures() const { return failures_; }
  const std::string& name() const { return options_.name; }

  // Runs until its task is cancelled; reconciles in progress are cancelled with it.
  net::Task<void> run() {
    constexpr auto kPollInterval = std::chrono::milliseconds(20);
    while (!synced()) {
      if (!(co_await loop_.sleep_for(kPollInterval)).ok()) co_return;
    }
    running_ = std::make_unique<Running>(*this);
    for (const Key& key : std::exchange(waiting_, {})) running_->queue.add(key);
    (void)co_await loop_.sleep_until(base::kNever);
    running_->queue.stop();
    running_->tasks.cancel();
    co_await running_->tasks.join();
    running_.reset();
  }

 private:
  struct Running {
    explicit Running(Controller& controller)
        : tasks(controller.loop_),
          queue(controller.loop_, tasks, controller.options_.workers, [&controller](Key key) {
            return controller.run_one(std::move(key));
          }) {}
    net::TaskGroup tasks;
    WorkQueue<Key> queue;
  };

  void enqueue_all(std::vector<Key> keys) {
    for (Key& key : keys) enqueue(std::move(key));
  }

  net::Task<Requeue> run_one(Key key) {
    ++runs_;
    const base::Result<Requeue> outcome = co_await reconcile_(key);
    if (outcome.ok()) co_return *outcome;
    if (outcome.error().is(base::Kind::cancelled)) co_return Requeue::on_change();
    ++failures_;
    report(key, outcome.error());
    co_return Requeue::after_backoff(outcome.error());
  }

  // A conflict is normal between two writers and not worth a warning.
  void report(const Key& key, const base::Error& error) const {
    if (error.is(base::Kind::conflict)) {
      log_.debug("reconcile will be repeated", {{"key", text(key)}, {"error", error}});
    } else {
      log_.warn("reconcile failed and will be repeated", {{"key", text(key)}, {"error", error}});
    }
  }
  static std::string text(const Key& key) {
    if constexpr (requires { key.to_string(); }) {
      return key.to_string();
    } else {
      return fmt::format("{}", key);
    }
  }

  net::Loop& loop_;
  ControllerOptions options_;
  Reconcile reconcile_;
  base::Log log_;
  std::vector<std::function<bool()>> synced_;
  std::set<Key> waiting_;  // keys added before run()
  std::unique_ptr<Running> running_;
  std::uint64_t runs_ = 0;
  std::uint64_t failures_ = 0;
};

}  // namespace kube::inline runner
