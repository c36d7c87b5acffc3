// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only.

#include "base/clock.h"
#include "net/async/fatal.h"
#include "net/async/loop.h"
#include "net/async/task_group.h"
#include "net/transport/connector.h"
#include "net/transport/memory_stream.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace net::testing {

// A clock, a loop and a group for background tasks, which end with it.
template <class Clock>
class World {
 public:
  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() {
    tasks.cancel();
    drive();
  }

  // Runs one task to its end, with everything else that happens meanwhile. Aborts if the task can
  // never end.
  template <class T>
  T run(Task<T> task) {
    using Kept = std::conditional_t<std::is_void_v<T>, bool, T>;
    std::optional<Kept> result;
    TaskGroup group(loop);
    const auto keep = [&result, &task]() -> Task<void> {
      if constexpr (std::is_void_v<T>) {
        co_await std::move(task);
        result.emplace(true);
      } else {
        result.emplace(co_await std::move(task));
      }
    };
    const auto stop_after = [this, &group]() -> Task<void> {
      co_await group.join();
      loop.stop();
    };
    group.spawn("the test", keep);
    tasks.spawn("end of the test", stop_after);
    drive();
    if (!result) fatal("the test waits for something that never happens");
    if constexpr (!std::is_void_v<T>) return std::move(*result);
  }

  Clock clock;
  Loop loop{clock, 4711};
  TaskGroup tasks{loop};

 private:
  void drive() {
    if constexpr (std::is_same_v<Clock, base::VirtualClock>) {
      loop.run_virtual(clock);
    } else {
      loop.run();
    }
  }
};

using VirtualWorld = World<base::VirtualClock>;
using RealWorld = World<base::RealClock>;

// Connects to whatever the test provides as the peer.
class MemoryConnector final : public Connector {
 public:
  using Accept = std::function<void(std::unique_ptr<Stream>)>;

  MemoryConnector(Loop& loop, Accept accept) : loop_(loop), accept_(std::move(accept)) {}

  Task<base::Result<std::unique_ptr<Stream>>> connect(base::Instant deadline) override {
    // Lets other tasks run, as a real network does, and detects a deadline that has passed.
    auto waited = co_await loop_.sleep_until(std::min(loop_.in(latency), deadline));
    if (!waited.ok()) co_return std::move(waited).error();
    if (refuse || (latency > base::Duration::zero() && loop_.now() >= deadline))
      co_return base::Error(base::Kind::unreachable, "cannot connect to peer:80: refused");
    ++connections;
    auto [near, far] = memory_stream_pair(loop_, capacity);
    accept_(std::move(far));
    co_return std::move(near);
  }
  const std::string& name() const override { return name_; }

  bool refuse = false;
  base::Duration latency{};
  std::size_t capacity = std::numeric_limits<std::size_t>::max();
  int connections = 0;

 private:
  Loop& loop_;
  Accept accept_;
  std::string name_ = "peer:80";
};

}  // namespace net::testing
